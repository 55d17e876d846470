// The gas in the children of a coarse cell, as ghosts of a finer block: for packs of cells and for single ones.
#pragma once

#include "exchange/prolong.hpp"
#include "mesh/fields.hpp"

namespace rednova::exchange {

/// The same function of all values of some stencils.
template <class T, class F, class... S>
REDNOVA_FN stencil_of<T> combine(const F& f, const S&... v) {
  stencil_of<T> r;
  r.centre = f(v.centre...);
  for (int d = 0; d < 3; ++d) {
    r.lower[d] = f(v.lower[d]...);
    r.upper[d] = f(v.upper[d]...);
  }
  return r;
}

/// The eight children of a coarse cell, for ghosts: with limited slopes of velocity and internal energy rather than of
/// momentum and energy. Where densities differ a lot, slopes of momentum limited on their own make velocities that no
/// cell around has; gas leaves a thin cell slower than the cell is, and what stays behind becomes faster without end.
///
/// The spin is of second order in h: it is handed down without slopes, less what the momenta carry.
///
/// h: width of the coarse cell. read(field): its stencil_of<T>; write(field, child, value) is called once for each
/// field and child.
template <class T, class Read, class Write>
REDNOVA_FN void prolong_gas(const mesh::field_numbers& fields, const Read& read, double h, const Write& write) {
  stencil_of<T> rho;
  T density[8], kinetic[8];
  for (int c = 0; c < 8; ++c) density[c] = kinetic[c] = T(0.0);
  for (int k = 0; k < fields.species(); ++k) {
    const stencil_of<T> q = read(fields.species(k));
    rho = combine<T>([](const T& a, const T& b) { return a + b; }, rho, q);
    const linear<T> part(q);
    for (int c = 0; c < 8; ++c) {
      const T value = part(c);
      density[c] += value;
      write(fields.species(k), c, value);
    }
  }
  stencil_of<T> internal = read(fields.energy());
  core::vec3<T> momentum_slope[3];
  for (int d = 0; d < 3; ++d) {
    const stencil_of<T> s = read(fields.momentum(d));
    const stencil_of<T> v = combine<T>([](const T& a, const T& b) { return a / b; }, s, rho);
    internal = combine<T>([](const T& e, const T& a, const T& b) { return e - 0.5 * a * b; }, internal, s, v);
    const linear<T> velocity(v);
    momentum_slope[d] = rho.centre * velocity.slope;
    for (int c = 0; c < 8; ++c) {
      const T value = velocity(c);
      kinetic[c] += value * value;
      write(fields.momentum(d), c, density[c] * value);
    }
  }
  const linear<T> heat(internal), tracer(read(fields.entropy()));
  const core::vec3<T> orbital = children_orbital(momentum_slope, h);
  for (int c = 0; c < 8; ++c) {
    write(fields.energy(), c, heat(c) + 0.5 * density[c] * kinetic[c]);
    write(fields.entropy(), c, tracer(c));
  }
  for (int d = 0; d < 3; ++d) {
    const T spin = read(fields.spin(d)).centre - orbital[d];
    for (int c = 0; c < 8; ++c) write(fields.spin(d), c, spin);
  }
}

}  // namespace rednova::exchange
