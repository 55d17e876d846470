// What follows from a cell's conserved fields.
#pragma once

#include "step/simulation.hpp"

namespace rednova::diagnose {

/// Internal energy per volume of a leaf's cell, by the rule of the dual energy (Bryan et al. 2014 sec. 6.4):
/// E - s²/(2 rho) where that exceeds dual_energy_pressure E, else from the entropy tracer.
inline double internal_energy(const step::simulation& s, int leaf, int cell) {
  const auto value = [&](int f) { return s.u.at(leaf, f)[cell]; };
  const double sx = value(s.fields.momentum(0)), sy = value(s.fields.momentum(1)), sz = value(s.fields.momentum(2));
  const double total = value(s.fields.energy());
  const double e = total - (sx * sx + sy * sy + sz * sz) / (2 * s.density(leaf, cell));
  return e > s.par.hydro.dual_energy_pressure * total ? e : s.eos.energy_from_tracer(value(s.fields.entropy()));
}

/// Pressure of a leaf's cell.
inline double pressure(const step::simulation& s, int leaf, int cell) {
  return s.eos.pressure(s.density(leaf, cell), internal_energy(s, leaf, cell));
}

}  // namespace rednova::diagnose
