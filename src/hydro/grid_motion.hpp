// Where cells are, and how fast the turning grid moves there.
#pragma once

#include "exec/simd.hpp"

namespace rednova::hydro {

/// Centre of the cell with number a along a direction, of a block whose lower corner is there.
REDNOVA_FN double centre(double corner, double h, int a) { return corner + (a + 0.5) * h; }

/// Velocity Ω × x of the grid along x or y (d = 0 or 1); other: the place along y or x.
template <class T>
REDNOVA_FN T grid_velocity(int d, double rotation, const T& other) {
  return (d == 0 ? -rotation : rotation) * other;
}

}  // namespace rednova::hydro
