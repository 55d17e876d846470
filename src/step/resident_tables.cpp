#include "step/resident_tables.hpp"

#include <algorithm>

#include "gravity/result_field.hpp"
#include "step/stage_form.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

namespace {

constexpr std::ptrdiff_t cells_of_face = mesh::N * mesh::N;

}  // namespace

resident_tables::resident_tables(simulation& s)
    : tree(&s.tree),
      faces(&s.work->faces),
      nodes(&s.links->nodes()),
      weighed(&s.work->weighed_places),
      fields(s.fields),
      with_gravity(s.par.gravity.enabled),
      stages(static_cast<int>(step::stages(s.par.hydro.time_integrator).size())),
      numbers(view(s)) {
  for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1]; ++leaf) {
    leaves.push_back(leaf);
    inner_and_outer[s.links->images_of(leaf).empty() ? 0 : 1].push_back(leaf);
    if (faces->finer(leaf) != 0) beside_finer.push_back(leaf);
    for (int face = 0; face < mesh::faces; ++face) {
      if (!on_boundary(mesh::view(s.tree), leaf, face)) continue;
      boundary_faces.push_back({leaf, face, boundary() * fields.evolved() * cells_of_face});
    }
  }
}

std::vector<hydro::block_input> resident_tables::inputs(const std::vector<int>& list, const double* ghosted,
                                                        int together, const std::uint8_t* first_order) const {
  std::vector<hydro::block_input> all;
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(fields.size()) * mesh::ghosted_cells;
  for (const int leaf : list) {
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(all.size()) % together;
    all.push_back({.u = ghosted + place * size,
                   .corner = tree->corner(leaf),
                   .h = tree->cell_width(leaf),
                   .rotation = numbers.rotation,
                   .finer_faces = faces->finer(leaf),
                   .first_order = first_order != nullptr ? first_order + place * mesh::ghosted_cells : nullptr});
  }
  return all;
}

std::vector<hydro::block_output> resident_tables::outputs(const std::vector<int>& list, const update_targets& to,
                                                          int together) const {
  std::vector<hydro::block_output> all;
  for (const int leaf : list) {
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(all.size()) % together;
    hydro::block_output out{.rate = to.rate + place * fields.evolved() * mesh::cells};
    if (with_gravity)
      out.mass_flux = to.mass_flow + static_cast<std::ptrdiff_t>(leaf - leaves.front()) * 3 * face_values;
    const auto first = std::ranges::lower_bound(boundary_faces, leaf, {}, &boundary_face::leaf);
    for (auto b = first; b != boundary_faces.end() && b->leaf == leaf; ++b) {
      out.outer_flux[b->face] = to.boundary_flux + b->flux;
    }
    for (int face = 0; face < mesh::faces; ++face) {
      const int slot = faces->slot(leaf, face);
      if (slot >= 0) out.outer_flux[face] = to.registers + slot * (register_fields() * cells_of_face);
    }
    all.push_back(out);
  }
  return all;
}

std::vector<hydro::signal_input> resident_tables::signals(const double* u) const {
  std::vector<hydro::signal_input> all;
  for (const int leaf : leaves) {
    const std::ptrdiff_t block = static_cast<std::ptrdiff_t>((*nodes)[leaf]) * fields.size() * mesh::cells;
    all.push_back({u + block, tree->corner(leaf), tree->cell_width(leaf)});
  }
  return all;
}

std::vector<summed_block> resident_tables::summed(const double* u, const double* gravity) const {
  std::vector<summed_block> all;
  for (const hydro::signal_input& leaf : signals(u)) {
    const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(all.size()) * gravity::result_fields + gravity::potential;
    all.push_back({leaf.u, with_gravity ? gravity + block * mesh::cells : nullptr, leaf.corner, leaf.h});
  }
  return all;
}

}  // namespace rednova::step
