// Which blocks want to be finer or coarser.
#pragma once

#include <vector>

#include "config/parameters.hpp"
#include "eos/ideal_gas.hpp"
#include "exchange/ghosts.hpp"
#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/fields.hpp"
#include "mesh/share.hpp"
#include "mesh/tree.hpp"

namespace rednova::regrid {

/// The rules of config::refine on one tree.
///
/// A rule asks for a finest level at a place; the block is refined if any rule asks for more than its level,
/// and may derefine if none would ask for its level even with thresholds lowered by the hysteresis.
class criteria {
 public:
  criteria(const config::mesh& mesh, const config::refine& refine, const config::hydro& hydro);

  /// +1, 0 or -1 for each leaf. u: [nodes][fields], restricted.
  std::vector<int> wishes(exec::context& where, const mesh::tree& t, const mesh::fields& fields,
                          const eos::ideal_gas& eos, const exchange::ghosts& ghosts, const mesh::block_data& u) const;
  /// The same for a rank's own leaves; u with images of what is around them and their parents.
  std::vector<int> wishes(exec::context& where, const mesh::tree& t, const mesh::share& own, const mesh::fields& fields,
                          const eos::ideal_gas& eos, const exchange::ghosts& ghosts, const mesh::block_data& u) const;

  /// The level that the density rule asks for at a density: the finest where it exceeds the threshold, one
  /// coarser for each factor of 8 below it.
  int density_level(double density) const;

 private:
  /// What a level is asked for: to be made, or to be kept, for which less is enough.
  enum class purpose { refine, keep };
  /// The finest level that any rule asks for in the block.
  int level_asked(const mesh::tree& t, const mesh::fields& fields, const eos::ideal_gas& eos,
                  const exchange::ghosts& ghosts, const mesh::block_data& u, int leaf, purpose why) const;
  int core_level(const mesh::block_data& u, int leaf, const std::vector<double>& rho, double factor) const;
  bool jump(const mesh::fields& fields, const eos::ideal_gas& eos, const exchange::ghosts& ghosts,
            const mesh::block_data& u, int node, double threshold) const;

  config::mesh mesh_;
  config::refine refine_;
  int density_max_level_;                     // the finest that the density rule asks for
  double heat_share_;                         // config::hydro::dual_energy_pressure
  int accretor_core_ = -1, donor_core_ = -1;  // species
};

}  // namespace rednova::regrid
