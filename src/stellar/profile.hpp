// What a code for the evolution of stars has found of a star: its layers, from the surface inwards.
#pragma once

#include <functional>
#include <limits>
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
  std::vector<double> hydrogen;  ///< mass fraction; empty where the file does not have it, as those below
  std::vector<double> helium, metals;
  std::vector<double> mean_weight;  ///< mean molecular weight [u]

  std::size_t zones() const { return mass.size(); }
  /// Within a distance from the centre; nothing further in than the profile goes.
  double mass_within(double r) const;
  /// Radius of a zone's middle, half of its volume within.
  double middle(std::size_t zone) const;
};

/// Reads a profile of MESA (Paxton et al. 2011, ApJS 192, 3; "profile.data"): three lines of header, a blank one,
/// numbers and names of the columns, then a row a zone. Takes mass [solar masses], radius or logR [solar radii], rho or
/// logRho, pressure or logP and, if there, x_mass_fraction_H, y_mass_fraction_He, z_mass_fraction_metals and mu, in any
/// order among others. A core::user_error that names file and line where it is no such file, or holds no star: masses
/// and radii must not rise inwards, there must be as many zones as num_zones says, where the header has it, and the
/// mass fractions, where there are all three, must add up to 1.
profile read_mesa_profile(const std::string& path);

/// What a profile says of its gas and what that of a run has instead, outside a core. NaN where one of them says
/// nothing.
struct profile_gas {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  /// Of a zone.
  struct of_run {
    double metals = unknown;       ///< mass fraction
    double mean_weight = unknown;  ///< mean molecular weight [u]
  };
  struct pair {
    double asked = unknown, reached = unknown;
  };
  pair helium, metals;            ///< mass fractions, means by mass
  pair mean_weight;               ///< mass over number of particles [u]
  double metals_off = unknown;    ///< mean by mass of the difference of fractions, without sign
  double weight_off = unknown;    ///< the same of the mean molecular weights, as a share of the profile's
  double largest_weight_off = 0;  ///< the largest of these shares
  double its_mass = 0;            ///< within the zone that has it, as a share of the star's
};

/// Of the zones whose middle is outside a radius [cm]. gas_of(zone): what the run has there.
profile_gas compare_gas(const profile& p, double inner, const std::function<profile_gas::of_run(std::size_t)>& gas_of);

}  // namespace rednova::stellar
