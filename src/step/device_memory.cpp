#include "step/device_memory.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "exchange/gather.hpp"
#include "exec/transport.hpp"
#include "gravity/basis.hpp"
#include "gravity/result_field.hpp"
#include "gravity/source_block.hpp"
#include "mesh/fields.hpp"
#include "radiation/light_view.hpp"
#include "step/device.hpp"
#include "step/view.hpp"

namespace rednova::step {

double least_device_memory(const config::parameters& p, double leaves) {
  const mesh::fields all = mesh::fields::of(p);
  const double fields = all.size(), evolved = all.evolved(), refined = leaves / 7;
  const double ghost_share = static_cast<double>(mesh::ghosted_cells) / mesh::cells;
  // Numbers of a cell: the state and the next one on all nodes, that at the start and what floors add, to rows too.
  double numbers = 2 * fields * (leaves + refined) + (evolved + 1) * leaves;
  numbers += static_cast<double>(p.hydro.species.size()) / mesh::N * leaves;
  numbers += std::min(leaves, static_cast<double>(leaves_at_once)) * (fields * ghost_share + evolved);
  if (p.radiation.enabled) {
    using namespace radiation;
    const double around = static_cast<double>(gas_numbers * layered_cells + 3 * values_of_faces) / mesh::cells;
    const double kept =
        start_fields + gas_fields + couple_fields + 2 * moment::count + 3;  // rates, and what floors add
    numbers += exchanged::count * (leaves + refined) + (kept + around + field::count + 1) * leaves;
    numbers += std::min(leaves, static_cast<double>(leaves_at_once)) *
               (3.0 * moment::count * values_of_faces + mesh::faces * mesh::N * outflow_numbers) / mesh::cells;
  }
  double sources = 0;
  if (p.gravity.enabled) {
    const double flow = 2.0 * 3 * face_values / mesh::cells;
    numbers += (gravity::result_fields + 2 + work_input_fields + flow) * leaves;
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

namespace {

/// What least_device_memory leaves out: registers of faces between levels, ghost blocks of the solve, lists,
/// boundaries, which depend on how much of the mesh lies where levels meet; and what steps allocate now and then.
constexpr double some_more = 1.15;

double bytes_of_state(const simulation& s) {
  return s.fields().size() * mesh::cells * static_cast<double>(sizeof(double));
}

double largest(const simulation& s, double of_rank) {
  return exchange::fold_ranks(s.context(), of_rank, [](double a, double b) { return std::max(a, b); });
}

/// stored: nodes whose blocks the rank holds, own leaves and halo copies of others' among them.
void expect_memory(const simulation& s, const mesh::tree& t, int own_leaves, int stored, double memory) {
  // All ranks come to the same: by the largest part and the least memory.
  const double leaves = largest(s, own_leaves), free = -largest(s, -memory);
  const double copies = largest(s, std::max(0.0, stored - 8.0 / 7 * own_leaves));
  // Halo copies are stored in both states, the indices of their numbers take half a state, and messages two each way
  // where they are on the device; leaves stand once more while the mesh changes.
  const bool messages = s.context().ranks() != nullptr && s.context().ranks()->reads_devices();
  const double with_halo = copies * (messages ? 6.5 : 2.5);
  const double transferred = s.par().mesh.regrid_interval > 0 ? leaves : 0;
  // Of light there is one state, and that passes through the host.
  const double lit_halo = s.par().radiation.enabled ? copies * (messages ? 5.5 : 1.5) : 0;
  const double of_light = radiation::exchanged::count * mesh::cells * static_cast<double>(sizeof(double));
  const double needed = some_more * (least_device_memory(s.par(), leaves) +
                                     bytes_of_state(s) * (with_halo + transferred) + of_light * lit_halo);
  if (needed <= free) return;
  const int level = deepest_level_that_fits(s.par(), t, leaves / t.leaves(), free);
  const std::string remedy =
      level < 0 ? "leave out --device gpu" : fmt::format("set mesh.max_level to {}, or leave out --device gpu", level);
  throw no_memory(
      fmt::format("{} blocks ({:.3g} cells) need at least {:.3g} GB on a device, which has {:.3g} GB free: {}", leaves,
                  leaves * mesh::cells, needed * 1e-9, free * 1e-9, remedy));
}

}  // namespace

void expect_device_memory(const simulation& s, double memory) {
  expect_memory(s, s.tree(), s.halo().partition().leaf_count(), s.halo().nodes().count(), memory);
}

void expect_memory_for_change(const simulation& s, const tree_change& to, double free, double held) {
  // Those of the next tree by the present owners, and by the next ones.
  const int moving = to.before_migration.leaf_count() + (to.after_migration ? to.after_migration->leaf_count() : 0);
  const double missing = largest(s, some_more * bytes_of_state(s) * moving - free);
  if (missing > 0) {
    throw no_memory(
        fmt::format("the mesh is to change, for which {:.3g} GB more are needed on a device than it has: lower "
                    "mesh.max_level, take more devices, or leave out --device gpu",
                    missing * 1e-9));
  }
  const int stored = exchange::stored_nodes(*to.next, to.own(), s.reach()).count();
  expect_memory(s, *to.next, to.own().leaf_count(), stored, free + held);
}

}  // namespace rednova::step
