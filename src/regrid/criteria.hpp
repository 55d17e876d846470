// Refinement flags: which blocks are to be finer or coarser.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "config/parameters.hpp"
#include "eos/gas.hpp"
#include "exchange/ghosts.hpp"
#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/fields.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"
#include "regrid/gas_rules.hpp"
#include "regrid/photosphere.hpp"

namespace rednova::regrid {

/// A sphere in which all blocks are to be of a level at least.
struct refined_sphere {
  core::vec3d centre;
  double radius;
  int level;
};

/// The rules of config::refine on one tree, and spheres.
///
/// A rule asks for a finest level somewhere; the block is refined if any rule asks for more than its level,
/// and may derefine if none would ask for its level even with thresholds lowered by the hysteresis.
class criteria {
 public:
  explicit criteria(const config::parameters& par, std::vector<refined_sphere> spheres = {});
  /// Without those that go by opacities.
  criteria(const config::mesh& mesh, const config::refine& refine, const config::hydro& hydro,
           std::vector<refined_sphere> spheres = {});

  /// +1, 0 or -1 for each leaf. u: [nodes][fields], restricted; gravity: gravity::result_field of leaves, null where
  /// none is known: no gas counts as unbound then.
  std::vector<int> flags(exec::context& context, const mesh::tree& t, const mesh::fields& fields, const eos::gas& eos,
                         const exchange::ghosts& ghosts, const mesh::block_data& u,
                         const mesh::block_view<const double>& gravity = {}) const;
  /// The same for a rank's own leaves; u with halo copies of what is around them and their parents.
  std::vector<int> flags(exec::context& context, const mesh::tree& t, const mesh::local_partition& own,
                         const mesh::fields& fields, const eos::gas& eos, const exchange::ghosts& ghosts,
                         const mesh::block_data& u, const mesh::block_view<const double>& gravity = {}) const;

  /// The level that the density rule asks for at a density: the finest where it exceeds the threshold, one
  /// coarser for each factor of 8 below it.
  int density_level(double density) const;

  /// What is looked for in the gas.
  gas_rules looked_for(const mesh::field_numbers& fields, const eos::gas& eos) const;
  /// Null: where light gets free is not looked for.
  const photosphere* by_opacity() const { return photosphere_ ? &*photosphere_ : nullptr; }

  /// +1, 0 or -1 for one leaf, by what is found there. Each is only asked for if a rule needs it:
  ///   found.densest(): the largest mass density of its cells;
  ///   found.core(c, why): whether a cell is in a star's core, by gas_rules::in_core;
  ///   found.unbound(why): whether there is unbound gas;
  ///   found.slopes(node, why): the slopes in the leaf, or in its parent, by gas_rules.
  template <class Found>
  int flag(const mesh::tree& t, int leaf, const Found& found) const {
    const int level = t[leaf].level;
    const auto asked = [&](purpose why) {
      return std::clamp(level_asked(t, leaf, found, why), mesh_.min_level, mesh_.max_level);
    };
    return asked(purpose::refine) > level ? 1 : asked(purpose::keep) < level ? -1 : 0;
  }

 private:
  /// The finest level that any rule asks for in the block.
  template <class Found>
  int level_asked(const mesh::tree& t, int leaf, const Found& found, purpose why) const {
    int asked = 0;
    if (refine_.density > 0) {
      asked = density_level(found.densest() / threshold_factor(refine_.hysteresis, why));
      for (std::size_t c = 0; c < star_cores; ++c) {
        if (core_[c] >= 0 && found.core(static_cast<int>(c), why)) asked = std::max(asked, core_level_[c]);
      }
    }
    if (refine_.unbound_level > asked && found.unbound(why)) asked = refine_.unbound_level;
    if (refine_.region_level > asked && in_region(t, leaf)) asked = refine_.region_level;
    for (const refined_sphere& sphere : spheres_) {
      if (sphere.level > asked && meets(t, leaf, sphere)) asked = sphere.level;
    }
    // A block is kept where its parent, which holds the averages, would ask for it again.
    const int node = why == purpose::keep ? t[leaf].parent : leaf;
    const int by_jump = refine_.gradient > 0 ? refine_.gradient_max_level : 0;
    const int by_height = refine_.cells_per_scale_height > 0 ? mesh_.max_level : 0;
    const int by_depth = photosphere_ ? refine_.photosphere_level : 0;
    if (node >= 0 && std::max({by_jump, by_height, by_depth}) > asked) {
      const char slopes = found.slopes(node, why);
      if (slopes & jump) asked = std::max(asked, std::min(by_jump, t[node].level + 1));
      if (slopes & short_scale_height) asked = std::max(asked, std::min(by_height, t[node].level + 1));
      if (slopes & light_gets_free) asked = std::max(asked, std::min(by_depth, t[node].level + 1));
    }
    return asked;
  }
  bool in_region(const mesh::tree& t, int leaf) const;
  static bool meets(const mesh::tree& t, int leaf, const refined_sphere& sphere);

  config::mesh mesh_;
  config::refine refine_;
  std::vector<refined_sphere> spheres_;
  std::optional<photosphere> photosphere_;
  int density_max_level_;        // the finest that the density rule asks for
  double dual_energy_pressure_;  // config::hydro::dual_energy_pressure
  // Of the stars' cores: their species, -1 where no rule looks for them, and the level that is asked for there.
  std::array<int, star_cores> core_, core_level_;
};

}  // namespace rednova::regrid
