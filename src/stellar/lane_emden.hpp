// Polytropes in hydrostatic equilibrium: the Lane-Emden function and the star that it scales to.
#pragma once

#include <vector>

namespace rednova::stellar {

/// The solution of theta'' + 2 theta'/xi = -theta^n, theta(0) = 1, theta'(0) = 0 for 0 <= n < 5, up to its first
/// zero (Chandrasekhar 1939, ch. IV eq. 11).
class lane_emden {
 public:
  /// Integrates; a logic error outside 0 <= n < 5. Accurate to about 1e-10 (1e-8 for n < 1, where theta^n has a
  /// kink at the surface).
  explicit lane_emden(double n);

  double index() const { return n_; }
  /// The first zero of theta.
  double xi1() const { return nodes_.back().xi; }
  /// -theta'(xi1).
  double surface_slope() const { return -nodes_.back().slope; }
  /// theta at 0 <= xi; 0 beyond xi1.
  double theta(double xi) const;
  /// theta' at 0 <= xi; beyond xi1 that of the vacuum, -xi1² |theta'(xi1)| / xi².
  double slope(double xi) const;
  /// rho_c over the mean density, xi1 / (3 |theta'(xi1)|).
  double central_concentration() const { return xi1() / (3 * surface_slope()); }

 private:
  struct point {
    double xi, theta, slope;
  };
  const point* interval(double xi) const;
  double curvature(const point& p) const;

  double n_;
  std::vector<point> nodes_;
};

/// A star of uniform entropy and G = 1: p = K rho^(1 + 1/n). For n = 0 rho is constant.
class polytrope {
 public:
  /// mass and radius in code units, both positive.
  polytrope(double n, double mass, double radius);

  double index() const { return profile_.index(); }
  double mass() const { return mass_; }
  double radius() const { return radius_; }
  double central_density() const { return central_density_; }
  double central_pressure() const { return central_pressure_; }
  const lane_emden& profile() const { return profile_; }

  double density(double r) const;
  double pressure(double r) const;
  /// Mass within r.
  double mass_within(double r) const;
  /// Gravitational potential, also outside: -mass/r there.
  double potential(double r) const;
  /// Density and pressure for a value of theta (0 where it is not positive).
  double density_of_theta(double theta) const;
  double pressure_of_theta(double theta) const;

 private:
  lane_emden profile_;
  double mass_, radius_, central_density_, central_pressure_;
};

}  // namespace rednova::stellar
