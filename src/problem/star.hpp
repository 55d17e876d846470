// A star in a thin atmosphere that rests on it: what the problems with one star share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/parameters.hpp"
#include "problem/problem.hpp"
#include "problem/star_structure.hpp"

namespace rednova::problem {

struct star_parameters {
  star_structure structure = star_structure::polytrope;
  double mass = 1, radius = 1;
  double index = 1.5;
  std::string profile{};
  double core_mass = 0, core_softening = 0;
  double ambient_density = 1e-8;
  double ambient_temperature = 0.5;

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("structure", structure, any_number(),
      "polytrope; white_dwarf: degenerate gas of no temperature, whose radius follows from the mass; adiabat: gas of "
      "stars of one entropy, which follows from mass and radius (eos.model); profile: what a code for the evolution of "
      "stars has found, whose mass and radius it has");
    v("mass", mass, positive(), "mass of the star, with its core's");
    v("radius", radius, positive(), "radius, the equatorial one of a polytrope that turns");
    v("index", index, between(0, 4.99), "its polytropic index n: p = K rho^(1 + 1/n); 0: constant density");
    v("profile", profile, any_number(), "of a profile: the file, as MESA writes it, seen from where the input file is");
    v("core_mass", core_mass, not_negative(),
      "of a polytrope or adiabat: mass of a softened point mass at the centre, in place of a core that is not "
      "resolved; "
      "a profile's follows");
    v("core_softening", core_softening, not_negative(),
      "radius of the sphere that the core's mass fills (point_masses.softening); 0: there is no core");
    v("ambient_density", ambient_density, bounds{0, 0.1, true},
      "density of the atmosphere at the surface, as a share of the central density");
    v("ambient_temperature", ambient_temperature, bounds{0, 100, true},
      "p/rho of the atmosphere in units of mass/radius (G = 1); it is isothermal and in equilibrium");
  }
};

/// Density and pressure of a star as functions of theta, its enthalpy over that of the centre.
class star_interior {
 public:
  virtual ~star_interior() = default;
  /// At a distance from the axis and a height above the equator; outside, where it is negative, it falls as the
  /// effective potential rises.
  virtual double theta(double axis_distance, double height) const = 0;
  virtual double density(double theta) const = 0;
  virtual double pressure(double theta) const = 0;
  /// The theta of a pressure.
  virtual double theta_of_pressure(double pressure) const = 0;
  virtual double central_enthalpy() const = 0;
  /// The species of gas of this density.
  virtual void fill(double density, gas& g) const { g.density[0] = density; }
};

/// The star at the origin, at rest or turning about z. Its gas is species 0, the atmosphere the last species.
///
/// The star ends where its pressure has fallen to the atmosphere's, so both are in exact equilibrium: an atmosphere
/// of constant p/rho in the star's field, turning with it.
class star {
 public:
  /// omega: angular velocity in the inertial frame, 0 unless the star is a polytrope without a core. A user_error where
  /// star and atmosphere do not fit together, and where the input gives what follows from other keys. Of an input that
  /// goes on from a checkpoint no model is made.
  star(const star_parameters& p, double omega, const config::parameters& par, const config::input& in);

  /// x: from the star's centre.
  gas at(core::vec3d x) const;
  /// Whether a block may hide the star from the criteria: it holds its centre and is wider than its radius.
  bool hidden_in(core::vec3d centre, double half) const;
  double radius() const { return radius_; }
  double mass() const { return mass_; }
  double gas_mass() const { return mass_ - core_.mass; }
  /// The point mass at its centre, if it has one.
  std::vector<step::point_mass> core(core::vec3d centre, core::vec3d velocity) const;
  /// What its model has come to, for people; may be empty.
  const std::string& description() const { return description_; }

 private:
  void take_model(const star_parameters& p, double omega, const config::parameters& par, const config::input& in);
  void take_profile(const star_parameters& p, const config::parameters& par, const config::input& in);

  double mass_ = 0, radius_ = 0, omega_;
  stellar::point_core core_;
  std::unique_ptr<const star_interior> inside_;
  std::string description_;
  std::size_t ambient_species_;
  double isothermal_ = 0, surface_pressure_ = 0, surface_theta_ = 0;
};

}  // namespace rednova::problem
