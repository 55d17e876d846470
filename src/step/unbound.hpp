// Whether gas escapes: three criteria, which differ in what its heat is worth.
#pragma once

#include <array>
#include <cstddef>

#include "eos/ideal_gas.hpp"
#include "exec/macros.hpp"
#include "hydro/dual_energy.hpp"
#include "hydro/primitives.hpp"
#include "mesh/block.hpp"
#include "mesh/fields.hpp"

namespace rednova::step {

/// In this order: with heat, E + rho phi > 0, E the kinetic and internal energy; without, rho v²/2 + rho phi > 0; and
/// Bernoulli's, E + p + rho phi > 0. v is inertial, phi the potential of all gas.
inline constexpr int unbound_criteria = 3;
/// Masses of unbound gas by these.
using unbound_masses = std::array<double, unbound_criteria>;

/// What the criteria ask of a cell. share: config::hydro::dual_energy_pressure, by which the pressure is found;
/// u: the cell's first field, the others follow at mesh::cells.
struct unbound_cell {
  double rho;
  bool by[unbound_criteria];

  REDNOVA_FN unbound_cell(const mesh::field_numbers& f, const eos::ideal_gas& eos, double share, const double* u,
                          double phi)
      : rho(hydro::mass_density<double>(u, mesh::cells, f.species())) {
    const auto value = [&](int field) { return u[field * mesh::cells]; };
    const core::vec3d momentum{value(f.momentum(0)), value(f.momentum(1)), value(f.momentum(2))};
    const double energy = value(f.energy()), kinetic = hydro::kinetic_energy(rho, momentum), depth = -rho * phi;
    by[0] = energy > depth;
    by[1] = kinetic > depth;
    by[2] = by[0];
    if (by[0]) return;  // the pressure adds to that, and may be dear
    const double heat = hydro::internal_energy(energy, kinetic, value(f.entropy()), share, eos);
    by[2] = energy + eos.pressure(rho, heat) > depth;
  }
};

}  // namespace rednova::step
