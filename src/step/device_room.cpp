#include "step/device_room.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "exchange/gather.hpp"
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
  // Numbers of a cell: the state and the next one on all nodes, that at the start and what floors add, to rows too.
  double numbers = 2 * fields * (leaves + refined) + (fields + 1) * leaves;
  numbers += static_cast<double>(p.hydro.species.size()) / mesh::N * leaves;
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

double stored_images(const simulation& s) {
  return std::max(0.0, s.links->nodes().count() - 8.0 / 7 * s.links->share().leaf_count());
}

void expect_device_room(const simulation& s, const mesh::tree& t, const mesh::share& own, double images,
                        double memory) {
  // All ranks come to the same: by the largest share and the least memory.
  const auto larger = [](double a, double b) { return std::max(a, b); };
  const double leaves = exchange::fold_ranks<double>(*s.where, own.leaf_count(), larger);
  const double free = -exchange::fold_ranks(*s.where, -memory, larger);
  const double most_images = exchange::fold_ranks(*s.where, images, larger);
  // Images stand in both states, leaves once more while the mesh changes; a sixteenth of the memory is for what steps
  // allocate now and then.
  const double state = s.fields.size() * mesh::cells * static_cast<double>(sizeof(double));
  const double carried = s.par.mesh.regrid_interval > 0 ? leaves : 0;
  const double needed = 16.0 / 15 * (least_device_memory(s.par, leaves) + state * (2 * most_images + carried));
  if (needed <= free) return;
  const int level = deepest_level_that_fits(s.par, t, leaves / t.leaves(), free);
  const std::string remedy =
      level < 0 ? "leave out --device gpu" : fmt::format("set mesh.max_level to {}, or leave out --device gpu", level);
  throw no_room(
      fmt::format("{} blocks ({:.3g} cells) need at least {:.3g} GB on a device, which has {:.3g} GB free: {}", leaves,
                  leaves * mesh::cells, needed * 1e-9, free * 1e-9, remedy));
}

void expect_device_room(const simulation& s, double memory) {
  expect_device_room(s, s.tree, s.links->share(), stored_images(s), memory);
}

}  // namespace rednova::step
