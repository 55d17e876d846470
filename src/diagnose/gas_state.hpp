// What follows from a cell's conserved fields.
#pragma once

#include "hydro/dual_energy.hpp"
#include "step/simulation.hpp"

namespace rednova::diagnose {

/// Pressure of a leaf's cell, with the internal energy by the rule of the dual energy.
inline double pressure(const step::simulation& s, int leaf, int cell) {
  const auto value = [&](int f) { return s.u().at(leaf, f)[cell]; };
  const mesh::fields& f = s.fields();
  const core::vec3d momentum{value(f.momentum(0)), value(f.momentum(1)), value(f.momentum(2))};
  const double rho = s.density(leaf, cell), energy = value(f.energy());
  return s.eos().visit([&](const auto& gas) {
    const auto here = gas.at(rho);
    return here.pressure(hydro::internal_energy(here, energy, hydro::kinetic_energy(rho, momentum), value(f.entropy()),
                                                s.par().hydro.dual_energy_pressure));
  });
}

}  // namespace rednova::diagnose
