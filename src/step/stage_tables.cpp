#include "step/stage_tables.hpp"

#include "core/index.hpp"
#include "exchange/fixed_cells.hpp"
#include "gravity/result_field.hpp"
#include "step/stage_form.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

namespace {

using core::index;

constexpr std::ptrdiff_t cells_of_face = mesh::N * mesh::N;

}  // namespace

stage_tables::stage_tables(const simulation& s, const workspace& w, const std::vector<std::vector<int>>& batches)
    : tree(&s.tree()),
      faces(&w.faces),
      nodes(&s.halo().nodes()),
      work_inputs(&w.work_input_places),
      fields(s.fields()),
      with_gravity(s.par().gravity.enabled),
      stages(static_cast<int>(step::stages(s.par().hydro.time_integrator).size())),
      first_leaf(s.own_leaves()[0]),
      first_boundary_(index(s.halo().partition().leaf_count())),
      flux_places_(index(s.halo().partition().leaf_count()) * mesh::faces, -1) {
  for (const std::vector<int>& list : batches) {
    range r{leaf_count(), static_cast<int>(list.size()), static_cast<int>(beside_finer.size()), 0, boundary(), 0};
    for (const int leaf : list) {
      leaves.push_back(leaf);
      if (faces->finer(leaf) != 0) beside_finer.push_back(leaf);
      first_boundary_[index(leaf - first_leaf)] = boundary();
      const unsigned fixed = exchange::fixed_faces(s.tree()[leaf], s.par().mesh.boundaries);
      for (int face = 0; face < mesh::faces; ++face) {
        if (!on_boundary(mesh::view(s.tree()), leaf, face)) continue;
        const std::ptrdiff_t flux = boundary() * fields.evolved() * cells_of_face;
        boundary_faces.push_back({leaf, face, flux, fixed});
        flux_places_[index((leaf - first_leaf) * mesh::faces + face)] = flux;
      }
    }
    r.coarse_count = static_cast<int>(beside_finer.size()) - r.first_coarse;
    r.boundary_count = boundary() - r.first_boundary;
    ranges_.push_back(r);
  }
}

batch stage_tables::at(int number, const int* leaves_there, const int* beside_finer_there) const {
  const range& r = ranges_[index(number)];
  return {number,
          0,
          leaves_there + r.first,
          r.count,
          beside_finer_there + r.first_coarse,
          r.coarse_count,
          r.first_boundary,
          r.boundary_count};
}

batch stage_tables::all(const int* leaves_there, const int* beside_finer_there) const {
  return {-1, 0, leaves_there, leaf_count(), beside_finer_there, static_cast<int>(beside_finer.size()), 0, boundary()};
}

batch stage_tables::alone(const int* leaf) const {
  int faces_at_end = 0;
  for (int face = 0; face < mesh::faces; ++face) {
    if (flux_places_[index((*leaf - first_leaf) * mesh::faces + face)] >= 0) ++faces_at_end;
  }
  const bool coarse = faces->finer(*leaf) != 0;
  return {-1, 0, leaf, 1, leaf, coarse ? 1 : 0, first_boundary_[index(*leaf - first_leaf)], faces_at_end};
}

hydro::block_input stage_tables::input(int leaf, double rotation) const {
  return {.u = nullptr,
          .corner = tree->corner(leaf),
          .h = tree->cell_width(leaf),
          .rotation = rotation,
          .finer_faces = faces->finer(leaf)};
}

std::vector<hydro::block_input> stage_tables::inputs(const std::vector<int>& list, const double* ghosted, int together,
                                                     double rotation, const std::uint8_t* first_order) const {
  std::vector<hydro::block_input> all;
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(fields.size()) * mesh::ghosted_cells;
  for (const int leaf : list) {
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(all.size()) % together;
    all.push_back(input(leaf, rotation));
    all.back().u = ghosted + place * size;
    if (first_order != nullptr) all.back().first_order = first_order + place * mesh::ghosted_cells;
  }
  return all;
}

hydro::block_output stage_tables::output(int leaf, const update_targets& to) const {
  hydro::block_output out{.rate = to.rate};
  if (with_gravity) out.mass_flux = to.mass_flow + static_cast<std::ptrdiff_t>(leaf - first_leaf) * 3 * face_values;
  for (int face = 0; face < mesh::faces; ++face) {
    const std::ptrdiff_t boundary_flux = flux_places_[index((leaf - first_leaf) * mesh::faces + face)];
    const int slot = faces->slot(leaf, face);
    if (boundary_flux >= 0) out.outer_flux[face] = to.boundary_flux + boundary_flux;
    if (slot >= 0) out.outer_flux[face] = to.registers + slot * (register_fields() * cells_of_face);
  }
  return out;
}

std::vector<hydro::block_output> stage_tables::outputs(const std::vector<int>& list, const update_targets& to,
                                                       int together) const {
  std::vector<hydro::block_output> all;
  for (const int leaf : list) {
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(all.size()) % together;
    all.push_back(output(leaf, to));
    all.back().rate = to.rate + place * fields.evolved() * mesh::cells;
  }
  return all;
}

std::vector<hydro::signal_input> stage_tables::signals(const double* u) const {
  std::vector<hydro::signal_input> all;
  for (int leaf = first_leaf; leaf < first_leaf + leaf_count(); ++leaf) {
    const std::ptrdiff_t block = static_cast<std::ptrdiff_t>((*nodes)[leaf]) * fields.size() * mesh::cells;
    all.push_back({u + block, tree->corner(leaf), tree->cell_width(leaf)});
  }
  return all;
}

}  // namespace rednova::step
