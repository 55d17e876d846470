// A uniformly rotating polytrope, by the self-consistent field method in polar coordinates (Hachisu 1986, ApJS 61,
// 479).
#pragma once

#include <array>
#include <vector>

#include "stellar/lane_emden.hpp"

namespace rednova::stellar {

/// A star of p = K rho^(1 + 1/n) that turns rigidly about z, flattened as its rotation demands; G = 1.
///
/// Its enthalpy, (n + 1) p_c/rho_c Theta, is a constant minus gravity's potential plus omega² s²/2 at a distance s from
/// the axis. Outside of the star Theta is negative and goes on smoothly, minus the effective potential's rise above the
/// surface, up to the cylinder on which gravity no longer holds what turns with the star; beyond it depends on the
/// height alone. Axis ratio and central density are exact to 1e-7 for n >= 1, to 1e-5 for n = 0.5, and to 1e-4 near the
/// fastest rates; omega = 0 is the Lane-Emden star itself.
class rotating_polytrope {
 public:
  /// Of a star that turns: below, its density ends too sharply for the points at which it is taken.
  static constexpr double least_index = 0.5;

  /// mass, equatorial radius and angular velocity about z in code units. A core::user_error where the star would turn
  /// so fast that it sheds its equator, from 1.12, 1.05, 1.02 and 1.00 of the Keplerian rate there on for n = 0.5, 1,
  /// 1.5 and 3; a logic error unless 0 <= n < 5 and, if it turns, n >= least_index.
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
  // In units of the equatorial radius and the central density.
  static constexpr int intervals = 400;  // of the radius
  static constexpr int multipoles = 13;  // P_0, P_2, … P_24
  struct value_and_slope {
    double value, slope;
  };
  using moments = std::array<value_and_slope, multipoles>;  // the potential's, as functions of the radius

  class shells;  // Theta on the points at which the density is taken
  void iterate();
  /// The potential of a density, and what follows from it.
  void take_potential(const shells& of);
  moments moments_at(double radius) const;
  double potential(const moments& at, double cosine) const;
  /// What a particle in the plane of the equator that turns with the star is pulled outward by.
  double outward(double axis_distance) const;
  double enthalpy(double axis_distance, double height) const;

  lane_emden profile_;
  double equatorial_radius_, rate_;  // rate: omega² radius³ / mass
  double farthest_ = 0;              // from the axis that gas which turns with the star is held
  std::vector<moments> nodes_;
  double mass_ = 0, surface_ = 0, centre_ = 1;  // scaled mass, enthalpy's constant, enthalpy of the centre
  double central_density_ = 1, central_pressure_ = 1;
};

}  // namespace rednova::stellar
