// The fastest signal of a block, which bounds the time step.
#pragma once

#include <cmath>

#include "core/vec3.hpp"
#include "hydro/grid_motion.hpp"
#include "hydro/primitives.hpp"

namespace rednova::hydro {

/// A block whose signals are asked for.
struct signal_input {
  const double* u = nullptr;  ///< conserved fields without ghosts, [field][cell]
  core::vec3d corner;         ///< lower corner of the block
  double h = 0;               ///< cell width
};

/// The larger of two signal rates; NaN wins over numbers, so that it is seen.
inline double larger_rate(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

/// max over directions of |u_d| + c in lanes<T> cells with fields `stride` apart; grid_x, grid_y: the grid's velocity.
template <class T, class Eos>
REDNOVA_FN T cell_signal_speed(const double* u, std::ptrdiff_t stride, double grid_x, const T& grid_y,
                               const mesh::field_numbers& f, double share, const Eos& eos) {
  const auto g = gas_from_conserved<T>(u, stride, f, share, eos);
  const T speed = exec::max(exec::max(exec::abs(g.v.x - grid_x), exec::abs(g.v.y - grid_y)), exec::abs(g.v.z));
  return speed + exec::sqrt(eos.sound_speed_squared(g.rho, g.p, g.ratios));
}

/// max over cells and directions of |u_d| + c, u = v - Omega × x relative to the grid.
/// u: [field][cell] without ghosts.
template <class T, class Eos>
double largest_signal_speed(const double* u, core::vec3d corner, double h, double rotation,
                            const mesh::field_numbers& f, double share, const Eos& eos) {
  constexpr int n = mesh::N, w = exec::lanes<T>;
  T fastest(0.0);
  for (int i = 0; i < n; i += w) {
    double x[w];
    for (int a = 0; a < w; ++a) x[a] = centre(corner.x, h, i + a);
    const T grid_y = grid_velocity(1, rotation, exec::load<T>(x));
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) {
        const double grid_x = grid_velocity(0, rotation, centre(corner.y, h, j));
        fastest = exec::max(fastest,
                            cell_signal_speed<T>(u + mesh::cell(i, j, k), mesh::cells, grid_x, grid_y, f, share, eos));
      }
  }
  return exec::hmax(fastest);
}

}  // namespace rednova::hydro
