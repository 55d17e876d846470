// The stars and their orbit: each star is what lies in its Roche lobe.
#pragma once

#include <array>
#include <vector>

#include "step/simulation.hpp"

namespace rednova::diagnose {

using step::star_of_species;

/// The gas of one star. Vectors are inertial, with components along the grid's rotating axes.
struct star {
  double mass = 0;          ///< of all gas in the star's Roche lobe; of a lone star, of all gas
  core::vec3d centre;       ///< of that mass
  core::vec3d velocity;     ///< of that mass
  core::vec3d spin;         ///< its angular momentum about its centre, the cells' own spin included
  double max_density = 0;   ///< largest mass density of that gas
  double lobe_radius = 0;   ///< of the sphere with the lobe's volume (Eggleton 1983); 0 for a lone star
  double received = 0;      ///< the part of the mass that the other star brought; 0 for a lone star
  double species_mass = 0;  ///< of the star's species, wherever it is
};

/// How many stars there are. merged: there were two, but one cannot tell their lobes apart any more.
enum class stars_found { one, two, merged };

struct orbit {
  stars_found found = stars_found::one;
  /// Accretor, donor. A lone star is the first, and the second has no mass. After a merger the first is all gas that
  /// the two stars brought; the second is NaN but for its species_mass.
  std::array<star, 2> stars;
  // Of the two centres of mass: 0 for a lone star, NaN after a merger.
  double separation = 0;
  double frequency = 0;          ///< angular velocity about each other, in the z direction
  core::vec3d angular_momentum;  ///< about their common centre

  // Of gas and point masses; the three add up to the ledger's energy.
  double kinetic = 0;               ///< energy of the motion in the inertial frame
  double internal = 0;              ///< the gas's energy without its kinetic energy
  double gravitational = 0;         ///< sum of m phi / 2
  hydro::unbound_masses unbound{};  ///< in the domain, by the criteria of hydro/unbound.hpp; 0 without gravity
};

/// Measures stars and orbit. Same bits on any number of threads and ranks.
///
/// A star is the gas whose cells' centres lie in its Roche lobe (diagnose/lobes.hpp), found by iteration from the
/// species that each star brought: M = sum V rho, M x = sum V rho x, M v = sum V s, J = sum V (x × s + l) - M x × v.
/// Gas outside of both lobes belongs to neither. Two stars have merged where step::star_pair says so, where no cell is
/// left that is mostly one's, or where a lobe cannot be found; nothing is remembered from one call to the next.
orbit measure(const step::simulation& s);

}  // namespace rednova::diagnose
