// What a solution of the Riemann problem says.
#pragma once

namespace rednova::problem {

struct riemann_state {
  double density, velocity, pressure;
};

inline riemann_state mirrored(const riemann_state& s) { return {s.density, -s.velocity, s.pressure}; }

/// Of two constant states that meet at x = 0.
class riemann_solution {
 public:
  virtual ~riemann_solution() = default;
  /// The state on the ray x / t = speed.
  virtual riemann_state at(double speed) const = 0;
  /// Speed and pressure of the contact.
  virtual double contact_speed() const = 0;
  virtual double contact_pressure() const = 0;
  /// Speed of the outermost waves to the left and to the right.
  virtual double leftmost() const = 0;
  virtual double rightmost() const = 0;
};

}  // namespace rednova::problem
