// The start and the end of a stage's hydrodynamics as functors, a thread for each cell of a batch (step/batch.hpp).
// The processor's loops (hydro_phase.cpp) call the same formulas.
#pragma once

#include "gravity/result_field.hpp"
#include "hydro/primitives.hpp"
#include "step/batch.hpp"
#include "step/cell_update.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// As start_step: keeps the state for the stages of the step.
struct start_cells {
  state_view s;
  const int* list;

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    const double* u = s.u.at(at.leaf) + at.cell;
    double* start = s.start.at(at.leaf) + at.cell;
    for (int field = 0; field < s.fields.evolved(); ++field) start[field * mesh::cells] = u[field * mesh::cells];
    if (!s.has_gravity()) return;
    s.start_potential.at(at.leaf)[at.cell] = s.gravity.at(at.leaf, gravity::potential)[at.cell];
    s.gravity_work.at(at.leaf)[at.cell] = 0;
  }
};

/// What update_leaf does with the rates of fluxes: adds forces, and combines the states to next.
struct finish_cells {
  state_view s;
  stage_form form;
  stage_turns turns;
  double dt;
  const int* list;
  const double* rate;  ///< [position][field][cell]: d(field)/dt by fluxes alone

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    const mesh::field_numbers& f = s.fields;
    const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(at.position) * f.evolved() * mesh::cells;
    const double *u = s.u.at(at.leaf) + at.cell, *start = s.start.at(at.leaf) + at.cell;
    const double* by_fluxes = rate + block + at.cell;
    double* next = s.next.at(at.leaf) + at.cell;
    const core::vec3d x = s.tree.centre(at.leaf, at.cell);
    vectors<double> rates = vectors<double>::load(f, by_fluxes);
    double heating = by_fluxes[f.energy() * mesh::cells];
    if (s.has_gravity()) add_force(at, x, rates, heating);
    for_scalars(f, [&](int field) {
      const int c = field * mesh::cells;
      next[c] = combined(form, dt, start[c], u[c], field == f.energy() ? heating : by_fluxes[c]);
    });
    if (s.has_gravity()) {
      double& energy = next[f.energy() * mesh::cells];
      energy = without_work(form, energy, s.gravity_work.at(at.leaf)[at.cell]);
    }
    vectors<double> sum = combined(form, dt, turns, f, x, start, vectors<double>::load(f, u), rates);
    sum.store_momentum(f, next);
    if (!s.spin) sum.spin = {};
    sum.store_spin(f, next);
  }

 private:
  /// To the rates of a cell's vectors and of its energy.
  REDNOVA_FN void add_force(const batch_cell& at, const core::vec3d& x, vectors<double>& rates, double& heating) const {
    const double rho = hydro::mass_density<double>(s.u.at(at.leaf) + at.cell, mesh::cells, s.fields.species());
    const double* result = s.gravity.at(at.leaf) + at.cell;
    const double* g = result + gravity::acceleration * mesh::cells;
    const double* torque = result + gravity::torque * mesh::cells;
    for (int d = 0; d < 3; ++d) {
      rates.momentum[d] = with_force(rates.momentum[d], rho, g[d * mesh::cells]);
      rates.spin[d] += torque[d * mesh::cells];
    }
    if (s.rotation == 0) return;
    heating += power_of_grid(s.rotation, x, rho, g[0], g[mesh::cells], torque[2 * mesh::cells]);
  }
};

}  // namespace rednova::step
