// The turn of momentum and angular momentum in the frame of the grid, exact for any time step.
#pragma once

#include <cmath>

#include "core/vec3.hpp"
#include "exec/macros.hpp"

namespace rednova::step {

/// A rotation about z.
struct frame_rotation {
  double cosine = 1, sine = 0;

  /// What -Omega × s does to a vector in time t: it turns by -Omega t.
  static frame_rotation of_frame(double omega, double t) { return {std::cos(omega * t), -std::sin(omega * t)}; }

  template <class T>
  REDNOVA_FN core::vec3<T> operator()(const core::vec3<T>& v) const {
    return {T(cosine) * v.x - T(sine) * v.y, T(sine) * v.x + T(cosine) * v.y, v.z};
  }
};

/// A cell's momentum and spin density after a turn of the frame, its centre x at rest in the frame:
/// s' = R s, l' = R (x × s + l) - x × s', so that x × s + l turns as a whole (docs/conservation.md).
template <class T>
REDNOVA_FN void rotate_cell(const frame_rotation& r, const core::vec3<T>& x, core::vec3<T>& s, core::vec3<T>& l) {
  if (r.sine == 0 && r.cosine == 1) return;  // no turn, no rounding
  const core::vec3<T> angular = r(cross(x, s) + l);
  s = r(s);
  l = angular - cross(x, s);
}

}  // namespace rednova::step
