// The entropy tracer after a step.
#pragma once

#include "step/batch.hpp"
#include "step/cell_limits.hpp"

namespace rednova::step {

/// Sets the tracer of u where the total energy is the better witness: an item for each cell.
struct synchronise_tracers {
  state_view s;
  const double* energy;  ///< [position][ghosted cell]

  REDNOVA_FN void operator()(const batch_item& at) const {
    const int x = at.number % mesh::N, y = at.number / mesh::N % mesh::N, z = at.number / mesh::N / mesh::N;
    synchronise_cell(s.fields, s.tracer_share, s.eos, s.u.at(at.leaf) + at.number,
                     energy + static_cast<std::ptrdiff_t>(at.position) * mesh::ghosted_cells + mesh::ghosted(x, y, z));
  }
};

}  // namespace rednova::step
