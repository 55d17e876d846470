// The exact solution of the Riemann problem for the ideal gas (Toro 2009, ch. 4).
#pragma once

namespace rednova::problem {

struct riemann_state {
  double density, velocity, pressure;
};

class riemann_exact {
 public:
  /// Two constant states that meet at x = 0; a user_error where they would part and leave a vacuum.
  riemann_exact(const riemann_state& left, const riemann_state& right, double gamma);

  /// The state on the ray x / t = speed.
  riemann_state at(double speed) const;
  /// Speed and pressure of the contact.
  double contact_speed() const { return speed_; }
  double contact_pressure() const { return pressure_; }
  /// Speed of the outermost waves to the left and to the right.
  double leftmost() const;
  double rightmost() const;

 private:
  riemann_state left_, right_;
  double gamma_, pressure_, speed_;
};

}  // namespace rednova::problem
