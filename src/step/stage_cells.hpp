// The start and the end of a stage's hydrodynamics, cell by cell (batch.hpp).
#pragma once

#include "gravity/result_field.hpp"
#include "hydro/primitives.hpp"
#include "step/batch.hpp"
#include "step/cell_update.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// Keeps the state for the stages of the step.
struct start_cells {
  state_view s;

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    const auto copy = [&](const double* from, double* to) { exec::store(to + at.cell, exec::load<T>(from + at.cell)); };
    for (int field = 0; field < s.fields.evolved(); ++field) copy(s.u.at(at.leaf, field), s.start.at(at.leaf, field));
    if (!s.has_gravity()) return;
    copy(s.gravity.at(at.leaf, gravity::potential), s.start_potential.at(at.leaf));
    exec::store(s.gravity_work.at(at.leaf) + at.cell, T(0.0));
  }
};

/// Gravity's force on momentum and its torque on spin, of cells whose density is rho, in the potential that was solved
/// for last.
template <class T>
REDNOVA_FN vectors<T> force_on(const state_view& s, const batch_cell& at, const T& rho) {
  const auto result = [&](int field) {
    const double* p = s.gravity.at(at.leaf, field) + at.cell;
    ask_ahead<T>(p);
    return exec::load<T>(p);
  };
  const auto three = [&](int first) { return core::vec3<T>{result(first), result(first + 1), result(first + 2)}; };
  return {rho * three(gravity::acceleration), three(gravity::torque)};
}

/// Combines the states, with gravity's force at the start of the step:
/// next = G(from_start)(a start + dt pull F(start)) + b G(from_here)(u + dt rate), the energy without gravity's work.
struct finish_cells {
  state_view s;
  stage_form form;
  stage_rotations rotations;
  double dt;
  const double* rate;  ///< [position][field][cell]: d(field)/dt by fluxes

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    const mesh::field_numbers& f = s.fields;
    const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(at.position) * f.evolved() * mesh::cells;
    const double *u = s.u.at(at.leaf) + at.cell, *start = s.start.at(at.leaf) + at.cell;
    const double* by_fluxes = rate + block + at.cell;
    double* next = s.next.at(at.leaf) + at.cell;
    for (int field = 0; field < f.evolved(); ++field) {
      ask_ahead<T>(start + field * mesh::cells);
      ask_ahead<T>(next + field * mesh::cells);
    }
    const core::vec3<T> x = centres<T>(s.tree, at.leaf, at.cell);
    vectors<T> force{};
    if (s.has_gravity()) force = force_on(s, at, hydro::mass_density<T>(start, mesh::cells, f.species()));
    for_scalars(f, [&](int field) {
      const int c = field * mesh::cells;
      T sum = combined(form, dt, exec::load<T>(start + c), exec::load<T>(u + c), exec::load<T>(by_fluxes + c));
      if (field == f.energy() && s.has_gravity()) {
        sum = without_work(form, sum, exec::load<T>(s.gravity_work.at(at.leaf) + at.cell));
        sum = sum + (dt * form.pull) * power_of_grid(s.rotation, x, force);
      }
      exec::store(next + c, sum);
    });
    vectors<T> sum = combined(form, dt, rotations, x, vectors<T>::load(f, start), force, vectors<T>::load(f, u),
                              vectors<T>::load(f, by_fluxes));
    sum.store_momentum(f, next);
    if (!s.spin) sum.spin = {};
    sum.store_spin(f, next);
  }
};

/// Gravity's force at the end of a step, for its share of the step.
struct last_pull_cells {
  state_view s;
  double dt;

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    const mesh::field_numbers& f = s.fields;
    double* u = s.u.at(at.leaf) + at.cell;
    const core::vec3<T> x = centres<T>(s.tree, at.leaf, at.cell);
    const vectors<T> force = force_on(s, at, hydro::mass_density<T>(u, mesh::cells, f.species()));
    const vectors<T> sum = vectors<T>::load(f, u) + (last_pull * dt) * force;
    sum.store_momentum(f, u);
    if (s.spin) sum.store_spin(f, u);
    double* energy = u + f.energy() * mesh::cells;
    exec::store(energy, exec::load<T>(energy) + (last_pull * dt) * power_of_grid(s.rotation, x, force));
  }
};

}  // namespace rednova::step
