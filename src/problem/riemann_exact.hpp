// The exact solution of the Riemann problem for the ideal gas (Toro 2009, ch. 4).
#pragma once

#include "problem/riemann_solution.hpp"

namespace rednova::problem {

class riemann_exact final : public riemann_solution {
 public:
  /// Two constant states that meet at x = 0; a user_error where they would part and leave a vacuum.
  riemann_exact(const riemann_state& left, const riemann_state& right, double gamma);

  riemann_state at(double speed) const override;
  double contact_speed() const override { return speed_; }
  double contact_pressure() const override { return pressure_; }
  double leftmost() const override;
  double rightmost() const override;

 private:
  riemann_state left_, right_;
  double gamma_, pressure_, speed_;
};

}  // namespace rednova::problem
