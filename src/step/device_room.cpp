#include "step/device_room.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "exchange/gather.hpp"
#include "exchange/said_by_all.hpp"
#include "gravity/basis.hpp"
#include "gravity/result_field.hpp"
#include "gravity/source_block.hpp"
#include "mesh/fields.hpp"
#include "step/device.hpp"
#include "step/view.hpp"

namespace rednova::step {

double least_device_memory(const config::parameters& p, double leaves) {
  const double fields = mesh::fields(p.hydro.species).size(), refined = leaves / 7;
  const double ghost_share = static_cast<double>(mesh::ghosted_cells) / mesh::cells;
  // Numbers of a cell: the state and the next one on all nodes, that at the start and what floors add.
  double numbers = 2 * fields * (leaves + refined) + (fields + 1) * leaves;
  numbers += std::min(leaves, static_cast<double>(leaves_at_once)) * fields * (ghost_share + 1);
  double sources = 0;
  if (p.gravity.enabled) {
    const double flow = 2.0 * 3 * face_values / mesh::cells;
    numbers += (gravity::result_fields + 2 + weighed_fields + flow) * leaves;
    // Masses and fields of leaves; moments, expansions and torques of refined blocks.
    numbers += 5 * leaves + (2.0 * gravity::basis_size(p.gravity.order) + 3) * refined;
    sources = mesh::sides * (leaves + refined) * static_cast<double>(sizeof(gravity::source_block));
  }
  return numbers * mesh::cells * static_cast<double>(sizeof(double)) + sources;
}

int deepest_level_that_fits(const config::parameters& p, const mesh::tree& t, double part, double memory) {
  const std::vector<int> by_level = t.leaves_by_level();
  for (int level = t.max_level(); level >= 0; --level) {
    double leaves = 0;
    for (int l = 0; l <= t.max_level(); ++l) {
      const double here = by_level[static_cast<std::size_t>(l)];
      leaves += l <= level ? here : std::ldexp(here, 3 * (level - l));
    }
    if (least_device_memory(p, part * leaves) <= memory) return level;
  }
  return -1;
}

void expect_device_room(const simulation& s, double memory) {
  // All ranks come to the same: by the largest share and the least memory.
  const auto larger = [](double a, double b) { return std::max(a, b); };
  const double own = exchange::fold_ranks<double>(*s.where, s.links->share().leaf_count(), larger);
  const double free = -exchange::fold_ranks(*s.where, -memory, larger);
  // Images of other ranks' blocks, in both states, and a sixteenth of the memory for what steps allocate now and then.
  const double stored = s.links->nodes().count() - 8.0 / 7 * s.links->share().leaf_count();
  const double images = exchange::fold_ranks(*s.where, std::max(0.0, stored), larger);
  const double state = s.fields.size() * mesh::cells * static_cast<double>(sizeof(double));
  const double needed = 16.0 / 15 * (least_device_memory(s.par, own) + 2 * state * images);
  if (needed <= free) return;
  const int level = deepest_level_that_fits(s.par, s.tree, own / s.tree.leaves(), free);
  const std::string remedy =
      level < 0 ? "leave out --device gpu" : fmt::format("set mesh.max_level to {}, or leave out --device gpu", level);
  throw exchange::said_by_all(
      fmt::format("{} blocks ({:.3g} cells) need at least {:.3g} GB on a device, which has {:.3g} GB free: {}", own,
                  own * mesh::cells, needed * 1e-9, free * 1e-9, remedy));
}

}  // namespace rednova::step
