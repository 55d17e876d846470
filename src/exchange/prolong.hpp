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

/// The same function of all values of some stencils.
template <class T, class F, class... S>
REDNOVA_FN stencil_of<T> combine(const F& f, const S&... v) {
  stencil_of<T> r;
  r.centre = f(v.centre...);
  for (int d = 0; d < 3; ++d) {
    r.lower[d] = f(v.lower[d]...);
    r.upper[d] = f(v.upper[d]...);
  }
  return r;
}

/// Differences over one coarse cell in x, y, z: those that middle(d, to lower, to upper neighbour) makes of its
/// differences from its neighbours, limited as monotonized central slopes are (van Leer 1977, JCP 23, 276, eq. 66), and
/// scaled together so that no child leaves the range of the stencil's values.
template <class T, class Middle>
REDNOVA_FN core::vec3<T> limited_slopes(const stencil_of<T>& u, const Middle& middle) {
  core::vec3<T> slope;
  T lowest = u.centre, highest = u.centre;
  for (int d = 0; d < 3; ++d) {
    const T a = u.centre - u.lower[d], b = u.upper[d] - u.centre, wanted = middle(d, a, b);
    const T size = exec::min(2.0 * exec::min(exec::abs(a), exec::abs(b)), exec::abs(wanted));
    slope[d] = exec::select(a * b > 0.0, exec::select(wanted < 0.0, T(-size), size), T(0.0));
    lowest = exec::min(lowest, exec::min(u.lower[d], u.upper[d]));
    highest = exec::max(highest, exec::max(u.lower[d], u.upper[d]));
  }
  const T reach = 0.25 * (exec::abs(slope.x) + exec::abs(slope.y) + exec::abs(slope.z));
  const T room = exec::min(highest - u.centre, u.centre - lowest);
  const T share = exec::select(reach > room, room / reach, T(1.0));
  return {share * slope.x, share * slope.y, share * slope.z};
}
/// Of the mean.
template <class T>
REDNOVA_FN core::vec3<T> limited_slopes(const stencil_of<T>& u) {
  return limited_slopes<T>(u, [](int, const T& a, const T& b) { return T(0.5 * (a + b)); });
}
REDNOVA_FN core::vec3d limited_slopes(const stencil& u) { return limited_slopes<double>(u); }

/// Of optical depths, by which is divided.
inline constexpr double least_depth = 1e-30;
/// How far light diffuses in a cell of an optical depth, and does not stream (the rest: radiation::transport_share).
template <class T>
REDNOVA_FN T diffusion_share(const T& depth) {
  return depth * depth / (1.0 + depth * depth);
}

/// Of light's energy in cells of so many optical depths: where light diffuses through the cell it is linear in depth
/// between the cell's centre and its neighbours', which makes two slopes of the cell. Their mean has the weights of the
/// neighbours' shares of the depths, so that beside a transparent neighbour, whose light says nothing of that within,
/// the cell has the slope to its opaque one. In a transparent cell it is the mean of the differences.
template <class T>
REDNOVA_FN core::vec3<T> limited_slopes_of_light(const stencil_of<T>& energy, const stencil_of<T>& depth) {
  const T c = exec::max(depth.centre, T(least_depth));
  return limited_slopes<T>(energy, [&](int d, const T& a, const T& b) {
    const T lower = exec::max(depth.lower[d], T(least_depth)), upper = exec::max(depth.upper[d], T(least_depth));
    const T share_of_lower = lower / (c + lower), share_of_upper = upper / (c + upper);
    const T in_depth = 2.0 * c * (share_of_lower * a / (c + lower) + share_of_upper * b / (c + upper)) /
                       (share_of_lower + share_of_upper);
    const T mean = 0.5 * (a + b);
    return T(mean + diffusion_share(depth.centre) * (in_depth - mean));
  });
}

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
  REDNOVA_FN explicit linear(const stencil_of<T>& v) : linear(v, limited_slopes<T>(v)) {}
  REDNOVA_FN linear(const stencil_of<T>& v, const core::vec3<T>& over_cell) : centre(v.centre), slope(over_cell) {}
  REDNOVA_FN T operator()(int child) const { return child_value(centre, slope, child); }
  T centre;
  core::vec3<T> slope;
};

/// Light's energy over a coarse cell of width h, with its gas's extinction by length, which has a slope, too: where
/// light diffuses the cell's energy is that in the middle of its depth, on the denser side of the middle of its width,
/// and a child's that in the middle of the child's. No child leaves the range of the stencil's values.
template <class T>
REDNOVA_FN linear<T> light_in_cell(const stencil_of<T>& energy, const stencil_of<T>& extinction, double h) {
  const stencil_of<T> depth = combine<T>([h](const T& by_length) { return T(h * by_length); }, extinction);
  linear<T> light(energy, limited_slopes_of_light<T>(energy, depth));
  const core::vec3<T> denser = limited_slopes<T>(depth);
  T lowest = energy.centre, highest = energy.centre, reach(0.0), moved(0.0);
  for (int d = 0; d < 3; ++d) {
    lowest = exec::min(lowest, exec::min(energy.lower[d], energy.upper[d]));
    highest = exec::max(highest, exec::max(energy.lower[d], energy.upper[d]));
    reach = reach + 0.25 * exec::abs(light.slope[d]);
    moved = moved + light.slope[d] * denser[d];
  }
  const T moved_to =
      energy.centre - (1.0 / 16) * diffusion_share(depth.centre) * moved / exec::max(depth.centre, T(least_depth));
  light.centre = exec::max(lowest + reach, exec::min(highest - reach, moved_to));
  return light;
}

}  // namespace rednova::exchange
