// A star in a thin atmosphere that rests on it: what the problems with one star share.
#pragma once

#include <memory>

#include "config/parameters.hpp"
#include "problem/problem.hpp"
#include "problem/star_structure.hpp"

namespace rednova::problem {

struct star_parameters {
  star_structure structure = star_structure::polytrope;
  double mass = 1, radius = 1;
  double index = 1.5;
  double ambient_density = 1e-8;
  double ambient_temperature = 0.5;

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("structure", structure, any_number(),
      "polytrope; white_dwarf: degenerate gas of no temperature, whose radius follows from the mass; adiabat: gas of "
      "stars of one entropy, which follows from mass and radius (eos.model)");
    v("mass", mass, positive(), "mass of the star");
    v("radius", radius, positive(), "radius, the equatorial one of a polytrope that turns");
    v("index", index, between(0, 4.99), "its polytropic index n: p = K rho^(1 + 1/n); 0: constant density");
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
};

/// The star at the origin, at rest or turning about z. Its gas is species 0, the atmosphere the last species.
///
/// The star ends where its pressure has fallen to the atmosphere's, so both are in exact equilibrium: an atmosphere
/// of constant p/rho in the star's field, turning with it.
class star {
 public:
  /// omega: angular velocity in the inertial frame, 0 unless the star is a polytrope. A user_error where star and
  /// atmosphere do not fit together, and where the input gives what a white dwarf's mass decides.
  star(const star_parameters& p, double omega, const config::parameters& par, const config::input& in);

  /// x: from the star's centre.
  gas at(core::vec3d x) const;
  /// Whether a block may hide the star from the criteria: it holds its centre and is wider than its radius.
  bool hidden_in(core::vec3d centre, double half) const;
  double radius() const { return radius_; }
  double core_mass() const { return 0; }
  double core_softening() const { return 0; }

 private:
  double radius_, omega_;
  std::unique_ptr<const star_interior> inside_;
  std::size_t ambient_species_;
  double isothermal_, surface_pressure_, surface_theta_;
};

}  // namespace rednova::problem
