// A uniformly rotating polytrope to first order in the rotation (Chandrasekhar 1933, MNRAS 93, 390).
#pragma once

#include <vector>

#include "stellar/lane_emden.hpp"

namespace rednova::stellar {

/// Theta(xi, mu) = theta + v [psi_0(xi) + A_2 psi_2(xi) P_2(mu)], v = omega² / (2 pi rho_c), G = 1.
///
/// (n + 1) p_c/rho_c Theta is the enthalpy inside; outside, where it is negative, minus the effective potential's
/// rise above the surface, so it goes on smoothly into the vacuum. The error is of order v²; omega = 0 is the
/// Lane-Emden star itself.
class rotating_polytrope {
 public:
  /// mass, equatorial radius and angular velocity about z in code units. A core::user_error where the star would
  /// be too fast for a first-order model (omega² radius³ / mass > 0.3); a logic error unless 0 <= n < 5 and, if it
  /// turns, n >= 1.
  rotating_polytrope(double n, double mass, double equatorial_radius, double omega);

  /// Theta at a distance from the axis and a height above the equator.
  double theta(double axis_distance, double height) const;
  double index() const { return profile_.index(); }
  double central_density() const { return central_density_; }
  double central_pressure() const { return central_pressure_; }
  /// (n + 1) p_c / rho_c: enthalpy = central_enthalpy() * theta.
  double central_enthalpy() const { return (index() + 1) * central_pressure_ / central_density_; }
  /// Polar over equatorial radius.
  double axis_ratio() const;

 private:
  struct point {
    double psi0, slope0, psi2, slope2;
  };
  void integrate();
  double scaled_theta(double xi, double p2) const;
  /// Where Theta vanishes in the direction with this P_2(mu).
  double surface(double p2) const;
  double theta0(double xi) const;
  point psi(double xi) const;

  lane_emden profile_;
  double v_ = 0, step_ = 0;
  double a2_ = 0, c0_ = 0, d0_ = 0, c2_ = 0;  // the vacuum solution beyond xi1
  std::vector<point> nodes_;
  double length_ = 1, central_density_ = 1, central_pressure_ = 1;
};

}  // namespace rednova::stellar
