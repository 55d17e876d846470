// What a code for the evolution of stars has found of a star: its layers, from the surface inwards.
#pragma once

#include <string>
#include <vector>

namespace rednova::stellar {

/// One entry a zone, cgs. As evolution codes have it, a zone's mass and radius are those of its outer face, and the
/// rest belongs to its middle.
struct profile {
  std::vector<double> mass;    ///< within the zone's outer face
  std::vector<double> radius;  ///< of its outer face
  std::vector<double> density;
  std::vector<double> pressure;
  std::vector<double> hydrogen;  ///< mass fraction; empty where the file does not have it

  std::size_t zones() const { return mass.size(); }
  /// Radius of a zone's middle, half of its volume within.
  double middle(std::size_t zone) const;
};

/// Reads a profile of MESA (Paxton et al. 2011, ApJS 192, 3; "profile.data"): three lines of header, a blank one,
/// numbers and names of the columns, then a row a zone. Takes mass [solar masses], radius or logR [solar radii], rho or
/// logRho, pressure or logP and x_mass_fraction_H, if there, in any order among others. A core::user_error that names
/// file and line where it is no such file, or holds no star: masses and radii must not rise inwards.
profile read_mesa_profile(const std::string& path);

}  // namespace rednova::stellar
