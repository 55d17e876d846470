// Whether gas escapes: three criteria, which differ in how much of its internal energy they count.
#pragma once

#include <array>
#include <cstddef>

#include "eos/gas.hpp"
#include "exec/macros.hpp"
#include "hydro/dual_energy.hpp"
#include "hydro/primitives.hpp"
#include "mesh/block.hpp"
#include "mesh/fields.hpp"

namespace rednova::hydro {

/// In this order: with heat, rho v²/2 + e + rho phi > 0; without, rho v²/2 + rho phi > 0; and Bernoulli's,
/// rho v²/2 + e + p + rho phi > 0. v is inertial, phi the whole potential of all gas (not half of it: a cell's mass
/// leaves the potential of the others), e the internal energy by the rule of the dual energy. That is never negative:
/// what criterion 1 calls unbound so does 0, and what 0 does, 2.
inline constexpr int unbound_criteria = 3;
/// Masses of unbound gas by these.
using unbound_masses = std::array<double, unbound_criteria>;

/// Which criteria a cell meets. share: config::hydro::dual_energy_pressure, by which e is found;
/// u: the cell's first field, the others follow at mesh::cells.
struct unbound_cell {
  double rho;
  bool by[unbound_criteria];

  REDNOVA_FN unbound_cell(const mesh::field_numbers& f, const eos::gas& eos, double share, const double* u, double phi)
      : rho(mass_density<double>(u, mesh::cells, f.species())) {
    const auto value = [&](int field) { return u[field * mesh::cells]; };
    const core::vec3d momentum{value(f.momentum(0)), value(f.momentum(1)), value(f.momentum(2))};
    const double kinetic = kinetic_energy(rho, momentum), depth = -rho * phi;
    by[0] = by[1] = by[2] = kinetic > depth;
    if (by[1]) return;  // heat and pressure only add to that, and the tracer's power is expensive
    eos.at(rho, eos.hydrogen(u, mesh::cells), [&](const auto& here) {
      const double e = internal_energy(here, value(f.energy()), kinetic, value(f.entropy()), share);
      by[0] = kinetic + e > depth;
      by[2] = kinetic + e + here.pressure(e) > depth;
    });
  }
};

}  // namespace rednova::hydro
