// Floors and the ceiling: what a cell is raised to where an update left it without mass or heat, what the heat of
// thin gas is held below, and what that added.
//
// They add mass and energy, never momentum or spin: s and l stay as they are, so the ledger of momentum and
// angular momentum stay closed. The caller adds what is returned to the ledger.
#pragma once

#include <algorithm>
#include <cstddef>

#include "config/parameters.hpp"
#include "core/vec3.hpp"
#include "eos/gas.hpp"
#include "exec/simd.hpp"
#include "hydro/dual_energy.hpp"

namespace rednova::hydro {

/// Smallest values that a cell may have, and the largest heat of thin gas.
struct floor_limits {
  double density;       ///< mass density
  double energy;        ///< heat by volume: internal energy less that at zero temperature
  double energy_share;  ///< config::hydro::dual_energy_pressure: where e comes from the tracer
  double tracer;        ///< that of gas with so much heat; zero where it depends on the density
  double heat;          ///< largest heat per mass of gas thinner than `thin`
  double thin;          ///< mass density; the ceiling leaves what has this much or more alone
  bool cold_energy;     ///< whether gas has energy at zero temperature

  floor_limits(const config::hydro& par, const eos::gas& eos)
      : density(par.density_floor),
        energy(par.energy_floor),
        energy_share(par.dual_energy_pressure),
        tracer(eos.tracer_of_heat(par.energy_floor)),
        heat(par.specific_energy_ceiling),
        thin(par.thin_gas_density),
        cold_energy(eos.cold_energy()) {}
};

/// True in the lanes where mass density and heat are at or above their floors, and thin gas is not above its ceiling,
/// so that nothing need be done.
/// NaN counts as below. smallest_species: the smallest partial density of the cell. Where gas has energy at zero
/// temperature some lanes may say false that are within: heat is looked up by limit_energy alone.
template <class T>
REDNOVA_FN auto within_limits(const T& rho, const T& smallest_species, const T& energy, const T& kinetic, const T& tau,
                              const floor_limits& limits) {
  const T difference = energy - kinetic;
  // What stands against the floor of heat. With cold energy it is known no more than that heat is at least the share,
  // or else the tracer's.
  const T least = limits.cold_energy ? limits.energy_share * energy : difference;
  const auto from_energy = limits.cold_energy ? energy == energy : difference > limits.energy_share * energy;
  return (rho >= limits.density) && (smallest_species >= 0.0) && (tau >= limits.tracer) &&
         ((rho >= limits.thin) || (difference <= limits.heat * rho)) && ((!from_energy) || (least >= limits.energy));
}

/// Makes partial densities not negative and their sum at least `floor`.
///
/// Negative ones become zero at the expense of the others (the sum stays), a sum below the floor is scaled
/// up; where nothing is left to scale the last species takes the floor's mass (binaries keep the common
/// atmosphere there).
/// rho_k: n values, `stride` apart, changed in place; added[k] (n values) receives what each gained.
REDNOVA_FN void floor_species(double* rho_k, int n, std::ptrdiff_t stride, double floor, double* added) {
  double sum = 0, positive = 0;
  for (int k = 0; k < n; ++k) {
    const double old = rho_k[k * stride];
    sum += old;
    if (old > 0) positive += old;
    added[k] = -old;
  }
  const double target = sum > floor ? sum : floor;
  if (positive > 0) {
    const double factor = target / positive;
    for (int k = 0; k < n; ++k) rho_k[k * stride] = rho_k[k * stride] > 0 ? rho_k[k * stride] * factor : 0.0;
  } else {
    for (int k = 0; k < n; ++k) rho_k[k * stride] = k == n - 1 ? target : 0.0;
  }
  for (int k = 0; k < n; ++k) added[k] += rho_k[k * stride];
}

/// Energy and tracer of a cell, and the energy that was added to it.
struct floored_energy {
  double energy, tracer, added;
};

/// Raises the heat of a cell of density rho to its floor, or lowers that of thin gas to its ceiling (`added` is then
/// negative).
/// kinetic: rho v²/2 with the floored density.
///
/// Where e is taken from E, E is raised, and that is `added`. Where it is taken from the tracer only the
/// tracer is raised: E, being conserved, is no worse for it.
/// gas: the equation of state at the density.
template <class Gas>
REDNOVA_LARGE_FN floored_energy limit_energy(double rho, double energy, double kinetic, double tau,
                                             const floor_limits& limits, const Gas& gas) {
  floored_energy r{energy, tau >= limits.tracer ? tau : limits.tracer, 0.0};
  const double present = gas.heat(energy - kinetic);
  if (!(present > limits.energy_share * energy)) return r;
  const double ceiling = rho < limits.thin ? exec::max(limits.energy, limits.heat * rho) : present;
  const double heat = exec::max(limits.energy, exec::min(present, ceiling));
  if (heat == present) return r;
  const double e = gas.energy_of_heat(heat);
  r.energy = kinetic + e;
  r.added = r.energy - energy;
  const bool raised = heat > present && limits.tracer > 0;
  r.tracer = raised ? exec::max(r.tracer, limits.tracer) : gas.entropy_tracer(e);
  return r;
}

}  // namespace rednova::hydro
