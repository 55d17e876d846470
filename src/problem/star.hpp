// A polytrope in a thin atmosphere that rests on it: what the problems with one star share.
#pragma once

#include "config/parameters.hpp"
#include "problem/problem.hpp"
#include "stellar/rotating_polytrope.hpp"

namespace rednova::problem {

struct star_parameters {
  double mass = 1, radius = 1;
  double index = 1.5;
  double ambient_density = 1e-8;
  double ambient_temperature = 0.5;

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("mass", mass, positive(), "mass of the star");
    v("radius", radius, positive(), "its radius, the equatorial one if it turns");
    v("index", index, between(0, 4.99), "its polytropic index n: p = K rho^(1 + 1/n); 0: constant density");
    v("ambient_density", ambient_density, bounds{0, 0.1, true},
      "density of the atmosphere at the surface, as a share of the central density");
    v("ambient_temperature", ambient_temperature, bounds{0, 100, true},
      "p/rho of the atmosphere in units of mass/radius (G = 1); it is isothermal and in equilibrium");
  }
};

/// The star at the origin, at rest or turning about z. Its gas is species 0, the atmosphere the last species.
///
/// The star ends where its pressure has fallen to the atmosphere's, so both are in exact equilibrium: an atmosphere
/// of constant p/rho in the star's field, turning with it.
class star {
 public:
  /// omega: angular velocity in the inertial frame. A user_error where star and atmosphere do not fit together.
  star(const star_parameters& p, double omega, const config::parameters& par);

  /// x: from the star's centre.
  gas at(core::vec3d x) const;
  /// Whether a block may hide the star from the criteria: it holds its centre and is wider than its radius.
  bool hidden_in(core::vec3d centre, double half) const;
  const stellar::rotating_polytrope& model() const { return model_; }

 private:
  stellar::rotating_polytrope model_;
  double radius_, omega_;
  std::size_t ambient_species_;
  double isothermal_, surface_pressure_, surface_theta_;
};

}  // namespace rednova::problem
