// The gas of a place as light sees it.
#pragma once

#include <cstddef>

#include "core/vec3.hpp"
#include "eos/gas.hpp"
#include "hydro/primitives.hpp"
#include "mesh/fields.hpp"
#include "radiation/scheme.hpp"

namespace rednova::radiation {

/// How the gas is to be read.
struct gas_rules {
  eos::gas eos;           ///< ideal, or of stars
  double pressure_share;  ///< config::hydro::dual_energy_pressure
  double rotation;        ///< of the grid about z
  bool spin;              ///< config::hydro::spin: torques of light go to the cells' spin, else nowhere
};

/// Density, momentum and energies by volume of a place.
struct place_of_gas {
  double density;
  core::vec3d momentum;
  double hydrogen;  ///< mass fraction, where the gas depends on it
  double energy;    ///< internal
  double heat;      ///< what of it is not there at zero temperature

  /// u: the place's first field, others `stride` apart.
  REDNOVA_FN place_of_gas(const double* u, std::ptrdiff_t stride, const mesh::field_numbers& f, const gas_rules& gas)
      : density(hydro::mass_density<double>(u, stride, f.species())), hydrogen(gas.eos.hydrogen(u, stride)) {
    for (int d = 0; d < 3; ++d) momentum[d] = u[f.momentum(d) * stride];
    const double kinetic = hydro::kinetic_energy(density, momentum);
    energy = gas.eos.at(density, hydrogen, [&](const auto& here) {
      return hydro::internal_energy(here, u[f.energy() * stride], kinetic, u[f.entropy() * stride], gas.pressure_share);
    });
    heat = gas.eos.heat(density, energy, hydrogen);
  }
};

/// The temperature of gas: Kelvin, or with units.system = "code" what gas_constant makes it.
REDNOVA_FN double temperature_of(const scheme& by, const eos::gas& gas, double rho, double energy, double hydrogen) {
  if (gas.tabulated()) return gas.star.at(rho, hydrogen).temperature(energy);
  return exec::max(energy, 0.0) / (rho * by.heat_capacity);
}

/// rho kappa of gas at a temperature, of its own composition where that is known.
REDNOVA_FN mean_opacities opacities_at(const scheme& by, const eos::gas& gas, double rho, double t, double hydrogen) {
  composition of = by.opacities.mix;
  if (gas.tabulated()) of.hydrogen = hydrogen;
  if (by.opacities.by != opacity::law::table) return by.opacities.by_volume(rho, t, of);
  const double cgs = rho * by.opacities.density_unit, depth = cgs * by.opacities.depth_unit;
  const double mean = by.rosseland(cgs, t, of.hydrogen);
  return {depth * (by.planck.empty() ? by.planck_factor * mean : by.planck(cgs, t, of.hydrogen)), depth * mean};
}
/// The same by its energy.
REDNOVA_FN mean_opacities opacities_of(const scheme& by, const eos::gas& gas, double rho, double energy,
                                       double hydrogen) {
  return opacities_at(by, gas, rho, temperature_of(by, gas, rho, energy, hydrogen), hydrogen);
}
REDNOVA_FN mean_opacities opacities_of(const scheme& by, const eos::gas& gas, const place_of_gas& at) {
  return opacities_of(by, gas, at.density, at.energy, at.hydrogen);
}

/// What opacity asks for of the gas in a cell, which may then be looked at as if it had another temperature.
struct gas_of_opacity {
  double density = 0, temperature = 0, hydrogen = 0;

  gas_of_opacity() = default;
  REDNOVA_FN gas_of_opacity(const scheme& by, const eos::gas& gas, const place_of_gas& at)
      : density(at.density),
        temperature(temperature_of(by, gas, at.density, at.energy, at.hydrogen)),
        hydrogen(at.hydrogen) {}
  REDNOVA_FN mean_opacities opacities(const scheme& by, const eos::gas& gas, double t) const {
    return opacities_at(by, gas, density, t, hydrogen);
  }
};

}  // namespace rednova::radiation
