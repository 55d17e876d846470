// Cells before a fixed boundary: they keep their state, and what flows into them has left the domain.
#pragma once

#include "exchange/fixed_cells.hpp"
#include "step/flow_cells.hpp"

namespace rednova::step {

/// For the faces of leaves at the end of the domain, after refluxing: puts the state at the start of the step back into
/// the cells that belong to a fixed one, and adds what the stage brought them to what leaves through the face.
struct keep_fixed_cells {
  state_view s;
  const boundary_face* faces;
  double weight;  ///< of the rates of the stage in the state after it: form.b dt
  double* sums;   ///< [face][numbers_of_outflow], per time

  REDNOVA_FN void operator()(int i) const {
    const boundary_face f = faces[i];
    if ((f.fixed >> f.face & 1U) == 0) return;
    double* const sum = sums + static_cast<std::ptrdiff_t>(i) * numbers_of_outflow(s.fields.species());
    for (int cell = 0; cell < mesh::cells; ++cell) {
      if (exchange::fixed_face(f.fixed, cell) == f.face) keep(f.leaf, cell, sum);
    }
  }

 private:
  REDNOVA_FN void keep(int leaf, int cell, double* sum) const {
    const mesh::field_numbers& f = s.fields;
    const double h = s.tree.cell_width(leaf), volume_by_time = h * h * h / weight;
    double* const next = s.next.at(leaf) + cell;
    const double* const start = s.start.at(leaf) + cell;
    const auto brought = [&](int field) {
      return volume_by_time * (next[field * mesh::cells] - start[field * mesh::cells]);
    };
    const auto brought3 = [&](int first) {
      return core::vec3d{brought(first), brought(first + 1), brought(first + 2)};
    };
    const core::vec3d momentum = brought3(f.momentum()), spin = s.spin ? brought3(f.spin()) : core::vec3d{};
    const core::vec3d angular = cross(s.tree.centre(leaf, cell), momentum) + spin;
    for (int k = 0; k < f.species(); ++k) sum[k] += brought(k);
    double* const rest = sum + f.species();
    for (int d = 0; d < 3; ++d) {
      rest[d] += momentum[d];
      rest[3 + d] += angular[d];
      rest[7 + d] += spin[d];
    }
    rest[6] += brought(f.energy());
    for (int field = 0; field < f.evolved(); ++field) next[field * mesh::cells] = start[field * mesh::cells];
  }
};

}  // namespace rednova::step
