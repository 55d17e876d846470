// The fastest signal of a block, which bounds the time step.
#pragma once

#include "core/vec3.hpp"
#include "hydro/primitives.hpp"

namespace rednova::hydro {

/// max over cells and directions of |u_d| + c, u = v - Omega × x relative to the grid.
/// u: [field][cell] without ghosts.
template <class T>
double largest_signal_speed(const double* u, core::vec3d corner, double h, double rotation,
                            const mesh::field_numbers& f, double share, const eos::ideal_gas& eos) {
  constexpr int n = mesh::N, w = exec::lanes<T>;
  T fastest(0.0);
  for (int i = 0; i < n; i += w) {
    double x[w];
    for (int a = 0; a < w; ++a) x[a] = corner.x + (i + a + 0.5) * h;
    const T grid_y = rotation * exec::load<T>(x);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) {
        const double grid_x = -rotation * (corner.y + (j + 0.5) * h);
        const gas_state<T> g = gas_from_conserved<T>(u + mesh::cell(i, j, k), mesh::cells, f, share, eos);
        const T speed = exec::max(exec::max(exec::abs(g.v.x - grid_x), exec::abs(g.v.y - grid_y)), exec::abs(g.v.z));
        fastest = exec::max(fastest, speed + exec::sqrt(eos.sound_speed_squared(g.rho, g.p)));
      }
  }
  return exec::hmax(fastest);
}

}  // namespace rednova::hydro
