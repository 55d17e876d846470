// The gas of a cell as light sees it.
#pragma once

#include <cstddef>

#include "core/vec3.hpp"
#include "eos/ideal_gas.hpp"
#include "hydro/primitives.hpp"
#include "mesh/fields.hpp"

namespace rednova::radiation {

/// How the gas is to be read.
struct gas_rules {
  eos::ideal_gas eos;     ///< no other gas has light yet
  double pressure_share;  ///< config::hydro::dual_energy_pressure
  double rotation;        ///< of the grid about z
  bool spin;              ///< config::hydro::spin: torques of light go to the cells' spin, else nowhere
};

/// Density, momentum and internal energy by volume of a place.
struct place_of_gas {
  double density;
  core::vec3d momentum;
  double heat;

  /// u: the place's first field, others `stride` apart.
  place_of_gas(const double* u, std::ptrdiff_t stride, const mesh::field_numbers& f, const gas_rules& gas)
      : density(hydro::mass_density<double>(u, stride, f.species())) {
    for (int d = 0; d < 3; ++d) momentum[d] = u[f.momentum(d) * stride];
    const double kinetic = hydro::kinetic_energy(density, momentum);
    const auto here = gas.eos.at(density);
    heat = here.heat(
        hydro::internal_energy(here, u[f.energy() * stride], kinetic, u[f.entropy() * stride], gas.pressure_share));
  }
};

}  // namespace rednova::radiation
