// The entropy tracer after a step.
#pragma once

#include "step/batch.hpp"
#include "step/cell_limits.hpp"

namespace rednova::step {

/// Sets the tracer of u where the total energy is the better witness.
struct synchronise_tracers {
  state_view s;
  const double* energy;  ///< [position][ghosted cell]

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    const int x = at.cell % mesh::N, y = at.cell / mesh::N % mesh::N, z = at.cell / mesh::N / mesh::N;
    synchronise_cells<T>(
        s.fields, s.tracer_share, s.eos, s.u.at(at.leaf) + at.cell,
        energy + static_cast<std::ptrdiff_t>(at.position) * mesh::ghosted_cells + mesh::ghosted(x, y, z));
  }
};

}  // namespace rednova::step
