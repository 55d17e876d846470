// What follows from a cell's conserved fields.
#pragma once

#include "hydro/dual_energy.hpp"
#include "step/simulation.hpp"

namespace rednova::diagnose {

/// Internal energy per volume of a leaf's cell, by the rule of the dual energy.
inline double internal_energy(const step::simulation& s, int leaf, int cell) {
  const auto value = [&](int f) { return s.u().at(leaf, f)[cell]; };
  const mesh::fields& f = s.fields();
  const core::vec3d momentum{value(f.momentum(0)), value(f.momentum(1)), value(f.momentum(2))};
  const double rho = s.density(leaf, cell), energy = value(f.energy());
  return s.eos().visit([&](const auto& gas) {
    return hydro::internal_energy(gas.at(rho), energy, hydro::kinetic_energy(rho, momentum), value(f.entropy()),
                                  s.par().hydro.dual_energy_pressure);
  });
}

/// Pressure of a leaf's cell.
inline double pressure(const step::simulation& s, int leaf, int cell) {
  return s.eos().pressure(s.density(leaf, cell), internal_energy(s, leaf, cell));
}

/// Kelvin; of degenerate gas, whose mean molecular weight is known.
inline double temperature(const step::simulation& s, int leaf, int cell) {
  return s.eos().dwarf.at(s.density(leaf, cell)).temperature(internal_energy(s, leaf, cell));
}

}  // namespace rednova::diagnose
