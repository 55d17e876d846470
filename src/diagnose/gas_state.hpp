// What follows from a cell's conserved fields.
#pragma once

#include "hydro/dual_energy.hpp"
#include "hydro/primitives.hpp"
#include "step/simulation.hpp"

namespace rednova::diagnose {

/// Mass fraction of hydrogen of a leaf's cell, where the gas depends on it.
inline double hydrogen(const step::simulation& s, int leaf, int cell) {
  return s.eos().hydrogen(s.u().at(leaf) + cell, mesh::cells);
}

/// Internal energy per volume of a leaf's cell, by the rule of the dual energy.
inline double internal_energy(const step::simulation& s, int leaf, int cell) {
  const auto value = [&](int f) { return s.u().at(leaf, f)[cell]; };
  const mesh::fields& f = s.fields();
  const core::vec3d momentum{value(f.momentum(0)), value(f.momentum(1)), value(f.momentum(2))};
  const double rho = s.density(leaf, cell), energy = value(f.energy());
  return s.eos().at(rho, hydrogen(s, leaf, cell), [&](const auto& gas) {
    return hydro::internal_energy(gas, energy, hydro::kinetic_energy(rho, momentum), value(f.entropy()),
                                  s.par().hydro.dual_energy_pressure);
  });
}

/// Pressure of a leaf's cell.
inline double pressure(const step::simulation& s, int leaf, int cell) {
  return hydro::cell_pressure(s.u().at(leaf) + cell, mesh::cells, s.fields(), s.par().hydro.dual_energy_pressure,
                              s.eos());
}

/// Kelvin; as eos::gas::temperature.
inline double temperature(const step::simulation& s, int leaf, int cell) {
  return s.eos().temperature(s.density(leaf, cell), internal_energy(s, leaf, cell), hydrogen(s, leaf, cell));
}

/// Of gas of stars.
inline eos::particles<double> particles(const step::simulation& s, int leaf, int cell) {
  return s.eos().particles(s.density(leaf, cell), internal_energy(s, leaf, cell), hydrogen(s, leaf, cell));
}

}  // namespace rednova::diagnose
