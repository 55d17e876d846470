// Refluxing: the cells of a coarse leaf get the fluxes of the finer faces beside them.
#pragma once

#include "exchange/refluxing.hpp"
#include "step/stage_cells.hpp"

namespace rednova::step {

/// An item for each cell of leaves that are coarser than a neighbour: the rates by the finer faces before the cell, in
/// the order of faces, added to next.
struct reflux_cells {
  state_view s;
  stage_form form;
  frame_rotation from_here;  ///< stage_rotations
  double dt;
  double* rate;  ///< [position][field][cell]: room to work in

  REDNOVA_FN void operator()(const batch_item& at) const {
    const mesh::field_numbers& f = s.fields;
    const int cell = at.number;
    double* mine = rate + static_cast<std::ptrdiff_t>(at.position) * f.evolved() * mesh::cells + cell;
    const double h = s.tree.cell_width(at.leaf);
    bool any = false;
    for (int n = s.faces.first[at.leaf]; n < s.faces.first[at.leaf + 1]; ++n) {
      const exchange::coarse_face& q = s.faces.coarse[n];
      if (!exchange::before_face(q.face, cell)) continue;
      if (!any) {
        for (int field = 0; field < f.evolved(); ++field) mine[field * mesh::cells] = 0;
      }
      any = true;
      const int a = exchange::place_along(exchange::transverse_a(q.face / 2), cell);
      const int b = exchange::place_along(exchange::transverse_b(q.face / 2), cell);
      exchange::reflux_cell(s.faces, q, f, h, s.spin, a, b,
                            [&](int field, double value) { mine[field * mesh::cells] += value; });
    }
    if (!any) return;
    double* next = s.next.at(at.leaf) + cell;
    for_scalars(f, [&](int field) {
      const int c = field * mesh::cells;
      next[c] = with_rate(form.b * dt, next[c], mine[c]);
    });
    const core::vec3d x = s.tree.centre(at.leaf, cell);
    const vectors<double> sum = with_rate(form.b * dt, from_here, f, x, next, vectors<double>::load(f, mine));
    sum.store_momentum(f, next);
    if (s.spin) sum.store_spin(f, next);
  }
};

}  // namespace rednova::step
