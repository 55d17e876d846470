// Stored gas: one look-up a cell and stage (eos/stored_gas.hpp).
#pragma once

#include <limits>

#include "hydro/primitives.hpp"
#include "step/batch.hpp"
#include "step/cell_limits.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// Pressure, e/p and Gamma1 of u. Outside the table of the gas its end is taken, but at the end of a step Gamma1 is
/// then infinite: so is the signal speed, and the next step does not begin (step.cpp).
///
/// Trapped light stiffens the gas: c² = (Gamma1 p + s)/rho, so Gamma1 is kept with s/p added. Nothing but the speeds of
/// waves depends on it. s is that of the step's start.
struct gas_cells {
  state_view s;
  bool end_of_step;

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    const mesh::field_numbers& f = s.fields;
    double* u = s.u.at(at.leaf) + at.cell;
    const auto field = [&](int n) { return exec::load<T>(u + n * mesh::cells); };
    const T rho = hydro::mass_density<T>(u, mesh::cells, f.species());
    const T kinetic = hydro::kinetic_energy(rho, momentum_of<T>(f, u));
    T e(0.0);
    eos::cell_ratios<T> ratios;
    const T p = s.eos.at(rho, s.eos.hydrogen<T>(u, mesh::cells), [&](const auto& here) {
      e = hydro::internal_energy(here, field(f.energy()), kinetic, field(f.entropy()), s.pressure_share);
      return here.pressure(e, ratios);
    });
    if (end_of_step && s.eos.tabulated()) {
      const T infinite(std::numeric_limits<double>::infinity());
      ratios.gamma1 = exec::select(s.eos.star.table.holds(rho, e), ratios.gamma1, infinite);
    }
    if (s.stiffness.values != nullptr)
      ratios.gamma1 = ratios.gamma1 + exec::load<T>(s.stiffness.at(at.leaf) + at.cell) / p;
    exec::store(u + f.pressure() * mesh::cells, p);
    exec::store(u + f.energy_over_pressure() * mesh::cells, ratios.energy_over_pressure);
    exec::store(u + f.gamma1() * mesh::cells, ratios.gamma1);
  }
};

}  // namespace rednova::step
