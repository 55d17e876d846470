// A star at rest of the gas of a profile.
#pragma once

#include <functional>
#include <memory>

#include "core/units.hpp"
#include "stellar/barotropic_sphere.hpp"
#include "stellar/profile.hpp"
#include "stellar/tabulated_barotrope.hpp"

namespace rednova::stellar {

/// Gas of one entropy through a state: density, pressure, mass fraction of hydrogen, code units.
using adiabat_through = std::function<std::shared_ptr<const barotrope>(double, double, double)>;

struct profile_star {
  std::shared_ptr<const tabulated_barotrope> gas;
  point_core core;
  barotropic_sphere sphere;
  std::vector<double> density, hydrogen;  ///< mass fraction at densities that rise; empty where the profile has none
  double surface;                         ///< radius of the outermost layer taken; thinner gas lies above it
  double surface_asked;                   ///< the profile's
  double within_core, within_core_asked;  ///< mass within the core's softening, with the core, and the profile's there
  double pressure_factor;                 ///< that all pressures were multiplied by
  double mass_left_out;  ///< share of the star's mass in zones whose density does not rise inwards beyond those outside
  profile_gas compared{};  ///< with the gas of a run, by who knows it

  /// Mass fraction of hydrogen of the layer with a density; 0 where the profile has none.
  double hydrogen_at(double density) const;
};

/// The star with the profile's mass and central density whose gas has at each density the profile's pressure, but for a
/// common factor, which is one, and gives the profile's radii, as far as the profile is in equilibrium. Beyond the
/// outermost layer its power law goes on. core_softening > 0: within this radius gas of the entropy that the profile
/// has there, and a point mass of such a mass that the outermost layer is where the profile has it, in place of the
/// factor (Ohlmann et al. 2017, A&A 599, A5, have the same aim by another way). A core::user_error that names `what`
/// where there is none, or where the profile does not reach the softening.
profile_star star_of_profile(const profile& p, const core::units& units, double core_softening,
                             const adiabat_through& adiabat, const char* what);

}  // namespace rednova::stellar
