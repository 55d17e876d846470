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

/// Adds gravity's force, torque and power to the rates of fluxes, and combines the states:
/// next = a G(from_start) start + b G(from_here)(u + dt rate), the energy without gravity's work.
struct finish_cells {
  state_view s;
  stage_form form;
  stage_rotations rotations;
  double dt;
  const double* rate;  ///< [position][field][cell]: d(field)/dt by fluxes alone

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    const mesh::field_numbers& f = s.fields;
    const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(at.position) * f.evolved() * mesh::cells;
    const double *u = s.u.at(at.leaf) + at.cell, *start = s.start.at(at.leaf) + at.cell;
    const double* by_fluxes = rate + block + at.cell;
    double* next = s.next.at(at.leaf) + at.cell;
    const core::vec3<T> x = centres<T>(s.tree, at.leaf, at.cell);
    vectors<T> rates = vectors<T>::load(f, by_fluxes);
    T heating = exec::load<T>(by_fluxes + f.energy() * mesh::cells);
    if (s.has_gravity()) add_force(at, x, rates, heating);
    for_scalars(f, [&](int field) {
      const int c = field * mesh::cells;
      const T flux = field == f.energy() ? heating : exec::load<T>(by_fluxes + c);
      T sum = combined(form, dt, exec::load<T>(start + c), exec::load<T>(u + c), flux);
      if (field == f.energy() && s.has_gravity()) {
        sum = without_work(form, sum, exec::load<T>(s.gravity_work.at(at.leaf) + at.cell));
      }
      exec::store(next + c, sum);
    });
    vectors<T> sum = combined(form, dt, rotations, f, x, start, vectors<T>::load(f, u), rates);
    sum.store_momentum(f, next);
    if (!s.spin) sum.spin = {};
    sum.store_spin(f, next);
  }

 private:
  /// To the rates of cells' vectors and of their energies.
  template <class T>
  REDNOVA_FN void add_force(const batch_cell& at, const core::vec3<T>& x, vectors<T>& rates, T& heating) const {
    const T rho = hydro::mass_density<T>(s.u.at(at.leaf) + at.cell, mesh::cells, s.fields.species());
    const auto result = [&](int field) { return exec::load<T>(s.gravity.at(at.leaf, field) + at.cell); };
    const core::vec3<T> g{result(gravity::acceleration), result(gravity::acceleration + 1),
                          result(gravity::acceleration + 2)};
    const core::vec3<T> torque{result(gravity::torque), result(gravity::torque + 1), result(gravity::torque + 2)};
    for (int d = 0; d < 3; ++d) {
      rates.momentum[d] = with_force(rates.momentum[d], rho, g[d]);
      rates.spin[d] = rates.spin[d] + torque[d];
    }
    if (s.rotation == 0) return;
    heating = heating + power_of_grid(s.rotation, x, rho, g.x, g.y, torque.z);
  }
};

}  // namespace rednova::step
