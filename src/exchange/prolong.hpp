// From a coarse cell to its eight children and back: conservative in mass, momentum, energy and angular momentum.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/vec3.hpp"

namespace rednova::exchange {

/// A coarse cell's value of one field and those of its six neighbours.
struct stencil {
  double centre = 0;
  double lower[3] = {};
  double upper[3] = {};
};

/// Differences over one coarse cell in x, y, z: monotonized central slopes (van Leer 1977, JCP 23, 276, eq. 66),
/// scaled together so that no child leaves the range of the stencil's values.
inline core::vec3d limited_slopes(const stencil& u) {
  core::vec3d slope;
  double lowest = u.centre, highest = u.centre;
  for (int d = 0; d < 3; ++d) {
    const double a = u.centre - u.lower[d], b = u.upper[d] - u.centre;
    const double least = 2 * std::min(std::fabs(a), std::fabs(b));
    const double central = 0.5 * (a + b);
    slope[d] = a * b > 0 ? std::copysign(std::min(least, std::fabs(central)), central) : 0.0;
    lowest = std::min({lowest, u.lower[d], u.upper[d]});
    highest = std::max({highest, u.lower[d], u.upper[d]});
  }
  const double reach = 0.25 * (std::fabs(slope.x) + std::fabs(slope.y) + std::fabs(slope.z));
  const double room = std::min(highest - u.centre, u.centre - lowest);
  if (reach > room) slope = (room / reach) * slope;
  return slope;
}

/// Value in the child at octant x + 2y + 4z. The mean over the eight children is `centre`.
inline double child_value(double centre, const core::vec3d& slope, int octant) {
  const double x = octant & 1 ? 0.25 : -0.25, y = octant & 2 ? 0.25 : -0.25, z = octant & 4 ? 0.25 : -0.25;
  return centre + (x * slope.x + y * slope.y + z * slope.z);
}

/// mean_j((x_j - x_c) × s_j) over the children of a coarse cell of width h whose momentum has these slopes:
/// the orbital part of the coarse spin that the children's own momenta carry.
inline core::vec3d children_orbital(const core::vec3d slope[3], double h) {
  const double w = h / 16;
  return {w * (slope[2].y - slope[1].z), w * (slope[0].z - slope[2].x), w * (slope[1].x - slope[0].y)};
}

}  // namespace rednova::exchange
