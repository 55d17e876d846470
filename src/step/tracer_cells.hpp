// The entropy tracer after a step, as a functor of a batch (step/batch.hpp).
#pragma once

#include "step/batch.hpp"
#include "step/cell_limits.hpp"

namespace rednova::step {

/// As dual_energy_phase, of u.
struct tracer_cells {
  state_view s;
  const int* list;
  const double* energy;  ///< [position][ghosted cell]

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    const int x = at.cell % mesh::N, y = at.cell / mesh::N % mesh::N, z = at.cell / mesh::N / mesh::N;
    synchronise_cell(s.fields, s.tracer_share, s.eos, s.u.at(at.leaf) + at.cell,
                     energy + static_cast<std::ptrdiff_t>(at.position) * mesh::ghosted_cells + mesh::ghosted(x, y, z));
  }
};

}  // namespace rednova::step
