// A star at rest, of gas whose density is a function of the enthalpy.
#pragma once

#include <vector>

#include "stellar/barotrope.hpp"

namespace rednova::stellar {

/// A softened point mass at a star's centre (gravity/softened_point.hpp); mass 0: none.
struct point_core {
  double mass = 0;
  double softening = 1;  ///< radius of the spline
};

/// Solves dH/dr = -m/r², dm/dr = 4 pi r² rho(H), G = 1, from the centre to the surface H = 0; m: with the core's within
/// r.
class barotropic_sphere {
 public:
  /// The star with this central enthalpy, code units. Accurate to about 1e-8.
  barotropic_sphere(const barotrope& gas, double central_enthalpy, const point_core& core = {});

  /// With its core. The core's softening must be less than the radius.
  double mass() const { return nodes_.back().mass; }
  double radius() const { return nodes_.back().r; }
  double central_enthalpy() const { return nodes_.front().enthalpy; }
  /// H at a distance from the centre; outside, where it is negative, minus the potential's rise above the surface.
  double enthalpy(double r) const;
  /// Mass within a distance from the centre, with the core's.
  double mass_within(double r) const;
  /// Where H is so much, not below zero nor above that of the centre.
  double radius_of(double enthalpy) const;

 private:
  struct point {
    double r, mass, enthalpy;
  };
  std::vector<point> nodes_;
};

/// Code units.
struct star_asked {
  double mass;  ///< with its core's
  double radius;
  point_core core{};
};

/// Least and largest density that the gas at the centre of such a star may have: from less than that of a sphere of
/// constant density to more than that of a polytrope of index 4, or than a core draws together.
struct density_range {
  double least, largest;
};
density_range central_densities(const star_asked& asked);

/// The star of a mass, with its core's, whose central density is between the given ones. A core::user_error that names
/// `what` (a star) and the largest or least mass there where none has this one.
barotropic_sphere sphere_of_mass(const barotrope& gas, double mass, double least_density, double largest_density,
                                 const char* what, const point_core& core = {});

}  // namespace rednova::stellar
