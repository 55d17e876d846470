// The stars and their orbit, from the species that each brought along.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "step/simulation.hpp"

namespace rednova::diagnose {

/// Gas that belongs to one star. Vectors are inertial, with components along the grid's rotating axes.
struct star {
  double mass = 0;
  core::vec3d centre;      ///< of its mass
  core::vec3d velocity;    ///< of its mass
  core::vec3d spin;        ///< angular momentum about its centre, the cells' own spin included
  double max_density = 0;  ///< largest mass density where more than half of the gas is the star's
  double lobe_mass = 0;    ///< of all gas in the star's Roche lobe; 0 for a lone star
  double received = 0;     ///< of that, what the other star brought
};

struct orbit {
  std::array<star, 2> stars;     ///< accretor, donor; a lone star is the first and the second has no mass
  double separation = 0;         ///< of the centres of mass; 0 for a lone star, as the rest
  double frequency = 0;          ///< angular velocity of the centres about each other, in the z direction
  core::vec3d angular_momentum;  ///< of the two centres about their common one
  core::vec3d cell_spin;         ///< sum of V l over all cells: the angular momentum that no momentum shows
  double unbound_mass = 0;       ///< gas with E + rho phi > 0; 0 without gravity
};

/// Which star each species belongs to: 0 accretor, 1 donor, -1 neither. Names that begin with "accretor" and
/// "donor" say so; where not both occur, all gas is one star.
std::vector<int> star_of_species(const std::vector<std::string>& species);

/// Measures stars and orbit. Same bits on any number of threads.
///
/// Star i is weighted by its species' share f_i of each cell: M_i = sum V f_i rho, M_i x_i = sum V f_i rho x,
/// M_i v_i = sum V f_i s, J_i = sum V f_i (x × s + l) - M_i x_i × v_i. Species stay with their star when gas changes
/// sides; what lies in which Roche lobe (diagnose/lobes.hpp) tells that it did.
orbit measure(const step::simulation& s);

}  // namespace rednova::diagnose
