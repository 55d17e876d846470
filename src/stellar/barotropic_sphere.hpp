// A star at rest, of gas whose density is a function of the enthalpy.
#pragma once

#include <vector>

#include "stellar/barotrope.hpp"

namespace rednova::stellar {

/// Solves dH/dr = -m/r², dm/dr = 4 pi r² rho(H), G = 1, from the centre to the surface H = 0.
class barotropic_sphere {
 public:
  /// The star with this central enthalpy, code units. Accurate to about 1e-8.
  barotropic_sphere(const barotrope& gas, double central_enthalpy);

  double mass() const { return nodes_.back().mass; }
  double radius() const { return nodes_.back().r; }
  double central_enthalpy() const { return nodes_.front().enthalpy; }
  /// H at a distance from the centre; outside, where it is negative, minus the potential's rise above the surface.
  double enthalpy(double r) const;

 private:
  struct point {
    double r, mass, enthalpy;
  };
  std::vector<point> nodes_;
};

/// The star of a mass, whose central density is between the given ones. A core::user_error that names `what` (a star)
/// and the largest or least mass there where none has this one.
barotropic_sphere sphere_of_mass(const barotrope& gas, double mass, double least_density, double largest_density,
                                 const char* what);

}  // namespace rednova::stellar
