// What a stage does to cells by themselves: forces, the rotation of the frame, and the sum of states. T is a double or
// a pack of consecutive cells.
#pragma once

#include "core/vec3.hpp"
#include "exec/simd.hpp"
#include "mesh/block.hpp"
#include "mesh/fields.hpp"
#include "step/rotation.hpp"
#include "step/stage_form.hpp"

namespace rednova::step {

/// The frame's rotation in a stage's two parts. Made on the host, so that all devices work with the same sines.
struct stage_rotations {
  frame_rotation from_start, from_here;

  stage_rotations(double rotation, const stage_form& form, double dt)
      : from_start(frame_rotation::of_frame(rotation, form.from_start * dt)),
        from_here(frame_rotation::of_frame(rotation, form.from_here * dt)) {}
};

/// Momentum and spin densities.
template <class T>
struct vectors {
  core::vec3<T> momentum, spin;

  /// fields: [field][cell], from the first of the cells on.
  REDNOVA_FN static vectors load(const mesh::field_numbers& f, const double* fields) {
    const auto read = [&](int field) { return exec::load<T>(fields + field * mesh::cells); };
    return {{read(f.momentum(0)), read(f.momentum(1)), read(f.momentum(2))},
            {read(f.spin(0)), read(f.spin(1)), read(f.spin(2))}};
  }
  REDNOVA_FN void store_momentum(const mesh::field_numbers& f, double* fields) const {
    for (int d = 0; d < 3; ++d) exec::store(fields + f.momentum(d) * mesh::cells, momentum[d]);
  }
  REDNOVA_FN void store_spin(const mesh::field_numbers& f, double* fields) const {
    for (int d = 0; d < 3; ++d) exec::store(fields + f.spin(d) * mesh::cells, spin[d]);
  }
  REDNOVA_FN friend vectors operator+(const vectors& a, const vectors& b) {
    return {a.momentum + b.momentum, a.spin + b.spin};
  }
  REDNOVA_FN friend vectors operator*(double w, const vectors& a) { return {T(w) * a.momentum, T(w) * a.spin}; }
};

/// Calls body(field) for the fields that the frame's rotation leaves alone.
template <class Body>
REDNOVA_FN void for_scalars(const mesh::field_numbers& f, const Body& body) {
  for (int field = 0; field < f.spin(); ++field) {
    if (field < f.momentum() || field >= f.energy()) body(field);
  }
}

/// A scalar of a start + b (u + dt rate).
template <class T>
REDNOVA_FN T combined(const stage_form& form, double dt, const T& start, const T& u, const T& rate) {
  return form.a * start + form.b * (u + dt * rate);
}

/// G(from_start)(a start + dt pull force) + b G(from_here)(u + dt rate) of cells at x.
template <class T>
REDNOVA_FN vectors<T> combined(const stage_form& form, double dt, const stage_rotations& rotations,
                               const core::vec3<T>& x, const vectors<T>& start, const vectors<T>& force,
                               const vectors<T>& u, const vectors<T>& rate) {
  vectors<T> here = u + dt * rate, before = form.a * start + (dt * form.pull) * force;
  rotate_cell(rotations.from_here, x, here.momentum, here.spin);
  rotate_cell(rotations.from_start, x, before.momentum, before.spin);
  return before + form.b * here;
}

/// An energy after a stage without gravity's work: that belongs to the state it was done on, and stages carry the gas's
/// own energy.
template <class T>
REDNOVA_FN T without_work(const stage_form& form, const T& energy, const T& work) {
  return energy - form.b * work;
}

/// The power that gravity has because the grid carries the gas along: (Omega × x)·rho g + Omega·t_g. It moves heat
/// between the leading and the trailing side of a star and adds up to Omega times the net torque, which is zero. The
/// power of the flow relative to the grid is work_cells'. force: on the momentum and spin of cells at x.
template <class T>
REDNOVA_FN T power_of_grid(double rotation, const core::vec3<T>& x, const vectors<T>& force) {
  return T(rotation) * (x.x * force.momentum.y - x.y * force.momentum.x + force.spin.z);
}

/// What fluxes that come later add to a stage: next += b G(from_here)(dt rate), of a scalar with w = b dt
REDNOVA_FN double with_rate(double w, double next, double rate) { return next + w * rate; }
/// and of the vectors of cells at x. next: [field][cell], from the first of them on.
template <class T>
REDNOVA_FN vectors<T> with_rate(double w, const frame_rotation& from_here, const mesh::field_numbers& f,
                                const core::vec3<T>& x, const double* next, vectors<T> rate) {
  rotate_cell(from_here, x, rate.momentum, rate.spin);
  return vectors<T>::load(f, next) + w * rate;
}

}  // namespace rednova::step
