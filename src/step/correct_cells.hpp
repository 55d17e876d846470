// The flux correction of coarse leaves as a functor, a thread for each cell of a batch (step/batch.hpp).
#pragma once

#include "exchange/fine_fluxes.hpp"
#include "step/stage_cells.hpp"

namespace rednova::step {

/// As correct_fluxes, of leaves that have coarse faces: the faces in their order, then the sum of their rates to next.
struct correct_cells {
  state_view s;
  stage_form form;
  turn from_here;  ///< stage_turns
  double dt;
  const int* list;
  double* rate;  ///< [position][field][cell]: room to work in

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    const mesh::field_numbers& f = s.fields;
    double* mine = rate + static_cast<std::ptrdiff_t>(at.position) * f.evolved() * mesh::cells + at.cell;
    for (int field = 0; field < f.evolved(); ++field) mine[field * mesh::cells] = 0;
    const double h = s.tree.cell_width(at.leaf);
    for (int n = s.faces.first[at.leaf]; n < s.faces.first[at.leaf + 1]; ++n) {
      const exchange::coarse_face& q = s.faces.coarse[n];
      if (!exchange::before_face(q.face, at.cell)) continue;
      const int a = exchange::place_along(exchange::transverse_a(q.face / 2), at.cell);
      const int b = exchange::place_along(exchange::transverse_b(q.face / 2), at.cell);
      exchange::fine_fluxes_of_cell(s.faces, q, f, h, s.spin, a, b,
                                    [&](int field, double value) { mine[field * mesh::cells] += value; });
    }
    double* next = s.next.at(at.leaf) + at.cell;
    for_scalars(f, [&](int field) {
      const int c = field * mesh::cells;
      next[c] = with_rate(form.b * dt, next[c], mine[c]);
    });
    const core::vec3d x = s.tree.centre(at.leaf, at.cell);
    const vectors<double> sum = with_rate(form.b * dt, from_here, f, x, next, vectors<double>::load(f, mine));
    sum.store_momentum(f, next);
    if (s.spin) sum.store_spin(f, next);
  }
};

}  // namespace rednova::step
