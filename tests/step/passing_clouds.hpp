// Two clouds that pass each other, whose line is known.
#pragma once

#include <cmath>

#include "step/step.hpp"

namespace rednova::step {

/// Two dense cold clouds at (±0.25, 0, 0), species 0 and 1, that pass each other at speeds (0, ±0.5, 0), in gas so thin
/// and cold that it does nothing to them: their line turns by atan(2 t) in the inertial frame.
inline void fill_with_passing_clouds(simulation& s) {
  const mesh::fields& f = s.fields();
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = mesh::view(s.tree()).centre(leaf, c);
      const double side = x.x < 0 ? -1 : 1, along = x.x - 0.25 * side;
      const double rho = 1e-5 + std::exp(-(along * along + x.y * x.y + x.z * x.z) / 0.006), v = 0.5 * side;
      s.u().at(leaf, 0)[c] = x.x < 0 ? rho : 0;
      s.u().at(leaf, 1)[c] = x.x < 0 ? 0 : rho;
      s.u().at(leaf, f.momentum(1))[c] = rho * v;
      const double e = 1e-3 * rho;
      s.u().at(leaf, f.energy())[c] = e + 0.5 * rho * v * v;
      s.u().at(leaf, f.entropy())[c] = s.eos().ideal.tracer_of_heat(e);
    }
  }
  prepare(s);
}

}  // namespace rednova::step
