// From a coarse cell to its eight children and back: conservative in mass, momentum, energy and angular momentum.
#pragma once

#include "core/vec3.hpp"
#include "exec/simd.hpp"

namespace rednova::exchange {

/// A coarse cell's value of one field and those of its six neighbours; of several coarse cells if T is a pack.
template <class T>
struct stencil_of {
  T centre{0.0};
  T lower[3] = {T(0.0), T(0.0), T(0.0)};
  T upper[3] = {T(0.0), T(0.0), T(0.0)};
};
using stencil = stencil_of<double>;

/// Differences over one coarse cell in x, y, z: monotonized central slopes (van Leer 1977, JCP 23, 276, eq. 66),
/// scaled together so that no child leaves the range of the stencil's values.
template <class T>
REDNOVA_FN core::vec3<T> limited_slopes(const stencil_of<T>& u) {
  core::vec3<T> slope;
  T lowest = u.centre, highest = u.centre;
  for (int d = 0; d < 3; ++d) {
    const T a = u.centre - u.lower[d], b = u.upper[d] - u.centre, central = 0.5 * (a + b);
    const T size = exec::min(2.0 * exec::min(exec::abs(a), exec::abs(b)), exec::abs(central));
    slope[d] = exec::select(a * b > 0.0, exec::select(central < 0.0, T(-size), size), T(0.0));
    lowest = exec::min(lowest, exec::min(u.lower[d], u.upper[d]));
    highest = exec::max(highest, exec::max(u.lower[d], u.upper[d]));
  }
  const T reach = 0.25 * (exec::abs(slope.x) + exec::abs(slope.y) + exec::abs(slope.z));
  const T room = exec::min(highest - u.centre, u.centre - lowest);
  const T share = exec::select(reach > room, room / reach, T(1.0));
  return {share * slope.x, share * slope.y, share * slope.z};
}
REDNOVA_FN core::vec3d limited_slopes(const stencil& u) { return limited_slopes<double>(u); }

/// Value in the child at octant x + 2y + 4z. The mean over the eight children is `centre`.
template <class T>
REDNOVA_FN T child_value(const T& centre, const core::vec3<T>& slope, int octant) {
  const double x = octant & 1 ? 0.25 : -0.25, y = octant & 2 ? 0.25 : -0.25, z = octant & 4 ? 0.25 : -0.25;
  return centre + (x * slope.x + y * slope.y + z * slope.z);
}

/// mean_j((x_j - x_c) × s_j) over the children of a coarse cell of width h whose momentum has these slopes:
/// the orbital part of the coarse spin that the children's own momenta carry.
template <class T>
REDNOVA_FN core::vec3<T> children_orbital(const core::vec3<T> slope[3], double h) {
  const double w = h / 16;
  return {w * (slope[2].y - slope[1].z), w * (slope[0].z - slope[2].x), w * (slope[1].x - slope[0].y)};
}

/// A value over a coarse cell that is linear within limits.
template <class T>
struct linear {
  REDNOVA_FN explicit linear(const stencil_of<T>& v) : centre(v.centre), slope(limited_slopes<T>(v)) {}
  REDNOVA_FN T operator()(int child) const { return child_value(centre, slope, child); }
  T centre;
  core::vec3<T> slope;
};

}  // namespace rednova::exchange
