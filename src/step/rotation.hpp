// The turn of momentum and angular momentum in the frame of the grid, exact for any time step.
#pragma once

#include <cmath>

#include "core/vec3.hpp"
#include "exec/macros.hpp"

namespace rednova::step {

/// How far the grid's axes have turned about z, as a function of time: at a constant rate since that was last changed.
struct grid_turn {
  double rate = 0;   ///< angular velocity
  double angle = 0;  ///< from the axes of the inertial frame, at the time `since`
  double since = 0;

  double at(double time) const { return angle + rate * (time - since); }
  /// From a time on another rate: the angle goes on from where it is.
  void change(double to, double time) { *this = {to, at(time), time}; }
};

/// A rotation about z.
struct frame_rotation {
  double cosine = 1, sine = 0;

  /// What -Omega × s does to a vector in time t: it turns by -Omega t.
  static frame_rotation of_frame(double omega, double t) { return {std::cos(omega * t), -std::sin(omega * t)}; }

  /// From the axes of a grid that has turned by an angle to those of the inertial frame.
  static frame_rotation to_inertial(double angle) { return {std::cos(angle), std::sin(angle)}; }

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
