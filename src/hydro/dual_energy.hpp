// Dual energy: internal energy from the total energy where that is accurate, from the entropy tracer elsewhere.
//
// In cold fast flow E - rho v²/2 is a small difference of large numbers. There the tracer tau = e^(1/gamma),
// which is advected like a density, says what e is (Bryan et al. 2014, ApJS 211, 19, sec. 6.4). Total energy
// itself is never changed by the tracer: conservation of E stands above agreement of the two.
//
// Where gas has energy at zero temperature, heat is what exceeds that, and the tracer is of heat.
#pragma once

#include "core/vec3.hpp"
#include "exec/simd.hpp"

namespace rednova::hydro {

/// rho v²/2 from density and momentum density.
template <class T>
REDNOVA_FN T kinetic_energy(const T& rho, const core::vec3<T>& s) {
  return 0.5 * dot(s, s) / rho;
}

/// e = E - rho v²/2 if its heat exceeds share * E, else that of the tracer. The first has at least half of the tracer's
/// heat: nothing in a flow takes entropy away, but fluxes of energy through a star's surface, whose gas fills a part of
/// its cells, leave some of these cold. They would not hold their own weight, and fill up, since nothing holds others
/// above them, and sink to the star's centre. Light that cools gas sets the tracer, and so does the end of a step
/// where heat is no small part of the energy of a cell and of its neighbours'.
///
/// The tracer's power is taken only where a lane needs it. gas: the equation of state at the place's density.
template <class T, class Gas>
REDNOVA_FN T internal_energy(const Gas& gas, const T& energy, const T& kinetic, const T& tau, double share) {
  const T difference = energy - kinetic, heat = gas.heat(difference);
  const auto from_energy = heat > share * energy, doubtful = gas.may_be_colder(difference, tau, energy);
  if (!exec::any(!from_energy || doubtful)) return difference;
  const T of_tracer = gas.energy_of_tracer(exec::max(tau, T(0.0))), least = of_tracer - 0.5 * gas.heat(of_tracer);
  const T of_energy = exec::select(doubtful, exec::max(difference, least), difference);
  return exec::select(from_energy, of_energy, of_tracer);
}

/// The tracer after an update: that of e = E - rho v²/2 where its heat exceeds share * largest_energy, else tau as
/// it is. largest_energy: the maximum of E over the cell and its neighbours, so that the heat of a shock
/// reaches the tracer while numerical noise of a fast cold stream does not.
/// Called once after a complete step; E is left alone.
template <class T, class Gas>
REDNOVA_FN T synchronised_tracer(const Gas& gas, const T& energy, const T& kinetic, const T& tau,
                                 const T& largest_energy, double share) {
  const T difference = energy - kinetic;
  const auto accurate = gas.heat(difference) > share * largest_energy;
  if (!exec::any(accurate)) return tau;
  return exec::select(accurate, gas.entropy_tracer(exec::max(difference, T(0.0))), tau);
}

}  // namespace rednova::hydro
