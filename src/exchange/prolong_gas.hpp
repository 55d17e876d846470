// The gas in the children of a coarse cell: as ghosts of a finer block, for packs of cells and for single ones, and as
// the cells of a finer mesh.
#pragma once

#include <cmath>

#include "exchange/prolong.hpp"
#include "mesh/fields.hpp"

namespace rednova::exchange {

/// Velocities and internal energy of some stencils, of which their children take slopes.
///
/// Where densities differ a lot, slopes of momentum limited on their own make velocities that no cell around has; gas
/// leaves a thin cell slower than the cell is, and what stays behind becomes faster without end.
template <class T>
struct gas_stencils {
  stencil_of<T> velocity[3], internal;

  /// read(field): its stencil_of<T>; rho: the mass density.
  template <class Read>
  REDNOVA_FN gas_stencils(const mesh::field_numbers& fields, const Read& read, const stencil_of<T>& rho)
      : internal(read(fields.energy())) {
    for (int d = 0; d < 3; ++d) {
      const stencil_of<T> s = read(fields.momentum(d));
      velocity[d] = combine<T>([](const T& a, const T& b) { return a / b; }, s, rho);
      internal =
          combine<T>([](const T& e, const T& a, const T& b) { return e - 0.5 * a * b; }, internal, s, velocity[d]);
    }
  }
};

/// The species of a coarse cell's children, each linear within limits, which are written, and their sums.
template <class T>
struct children_density {
  stencil_of<T> rho;
  T of[8];

  template <class Read, class Write>
  REDNOVA_FN children_density(const mesh::field_numbers& fields, const Read& read, const Write& write) {
    for (int c = 0; c < 8; ++c) of[c] = T(0.0);
    for (int k = 0; k < fields.species(); ++k) {
      const stencil_of<T> q = read(fields.species(k));
      rho = combine<T>([](const T& a, const T& b) { return a + b; }, rho, q);
      const linear<T> part(q);
      for (int c = 0; c < 8; ++c) {
        const T value = part(c);
        of[c] += value;
        write(fields.species(k), c, value);
      }
    }
  }
};

/// The eight children of a coarse cell, for ghosts: with limited slopes of velocity and internal energy rather than of
/// momentum and energy. Ghosts are copies, so nothing need add up; what becomes of the gas itself is divide_gas.
///
/// The spin is of second order in h: it is handed down without slopes, less what the momenta carry.
///
/// h: width of the coarse cell. read(field): its stencil_of<T>; write(field, child, value) is called once for each
/// field and child.
template <class T, class Read, class Write>
REDNOVA_FN void prolong_gas(const mesh::field_numbers& fields, const Read& read, double h, const Write& write) {
  const children_density<T> density(fields, read, write);
  const gas_stencils<T> gas(fields, read, density.rho);
  T kinetic[8];
  for (int c = 0; c < 8; ++c) kinetic[c] = T(0.0);
  core::vec3<T> momentum_slope[3];
  for (int d = 0; d < 3; ++d) {
    const linear<T> velocity(gas.velocity[d]);
    momentum_slope[d] = density.rho.centre * velocity.slope;
    for (int c = 0; c < 8; ++c) {
      const T value = velocity(c);
      kinetic[c] += value * value;
      write(fields.momentum(d), c, density.of[c] * value);
    }
  }
  const linear<T> heat(gas.internal), tracer(read(fields.entropy()));
  const core::vec3<T> orbital = children_orbital(momentum_slope, h);
  for (int c = 0; c < 8; ++c) {
    write(fields.energy(), c, heat(c) + 0.5 * density.of[c] * kinetic[c]);
    write(fields.entropy(), c, tracer(c));
  }
  for (int d = 0; d < 3; ++d) {
    const T spin = read(fields.spin(d)).centre - orbital[d];
    for (int c = 0; c < 8; ++c) write(fields.spin(d), c, spin);
  }
  for (int field = fields.evolved(); field < fields.size(); ++field) {
    const linear<T> follows(read(field));
    for (int c = 0; c < 8; ++c) write(field, c, follows(c));
  }
}

/// What one component of the children's velocities differs by from the coarse cell's: linear, with the limited slopes
/// of a ghost, about the children's centre of mass, so that their momenta add up; flatter where a child would leave the
/// range of the stencil's values. rho: the children's densities.
REDNOVA_FN void velocity_differences(const stencil& v, const double* rho, double* difference) {
  const core::vec3d slope = limited_slopes(v);
  double mass = 0, moment = 0;
  for (int c = 0; c < 8; ++c) {
    difference[c] = child_value(0.0, slope, c);
    mass += rho[c];
    moment += rho[c] * difference[c];
  }
  double most = 0, least = 0, highest = v.centre, lowest = v.centre;
  for (int c = 0; c < 8; ++c) {
    difference[c] -= moment / mass;
    most = exec::max(most, difference[c]);
    least = exec::min(least, difference[c]);
  }
  for (int d = 0; d < 3; ++d) {
    highest = exec::max(highest, exec::max(v.lower[d], v.upper[d]));
    lowest = exec::min(lowest, exec::min(v.lower[d], v.upper[d]));
  }
  double share = 1;
  if (most > highest - v.centre) share = (highest - v.centre) / most;
  if (-least > v.centre - lowest) share = exec::min(share, (v.centre - lowest) / -least);
  for (int c = 0; c < 8; ++c) difference[c] *= share;
}

/// The part of a cell's heat that its children may have as motion against each other.
inline constexpr double heat_for_motion = 0.25;

/// The eight children of a cell that is divided: velocity and internal energy have the slopes that ghosts have, and
/// species, momentum, energy and angular momentum of the children add up to the cell's, to rounding.
///
/// The kinetic energy of the children's motion against each other was heat of the cell, which could not resolve it: all
/// give the same share of theirs, and where that were more than a quarter, as in cold gas, velocities are flatter.
/// What angular momentum about the cell's centre the children's momenta have is taken from the spin, which has no
/// slopes.
///
/// Arguments as of prolong_gas, for single cells.
template <class Read, class Write>
REDNOVA_FN void divide_gas(const mesh::field_numbers& fields, const Read& read, double h, const Write& write) {
  const children_density<double> density(fields, read, write);
  const gas_stencils<double> gas(fields, read, density.rho);
  double difference[3][8], motion = 0;
  for (int d = 0; d < 3; ++d) {
    velocity_differences(gas.velocity[d], density.of, difference[d]);
    for (int c = 0; c < 8; ++c) motion += 0.0625 * density.of[c] * difference[d][c] * difference[d][c];
  }
  const double heat_here = gas.internal.centre, most = heat_for_motion * exec::max(heat_here, 0.0);
  const double share = motion > most ? std::sqrt(most / motion) : 1.0;
  const double kept = heat_here > 0 ? 1 - share * share * motion / heat_here : 1.0;

  double kinetic[8] = {};
  core::vec3d orbital;
  for (int d = 0; d < 3; ++d) {
    for (int c = 0; c < 8; ++c) {
      const double v = gas.velocity[d].centre + share * difference[d][c], s = density.of[c] * v;
      kinetic[c] += 0.5 * s * v;
      write(fields.momentum(d), c, s);
      // x × s of a momentum along d.
      const double w = h / 32, a = c >> ((d + 1) % 3) & 1 ? w : -w, b = c >> ((d + 2) % 3) & 1 ? w : -w;
      orbital[(d + 1) % 3] += b * s;
      orbital[(d + 2) % 3] -= a * s;
    }
  }
  const linear<double> heat(gas.internal), tracer(read(fields.entropy()));
  for (int c = 0; c < 8; ++c) {
    write(fields.energy(), c, kept * heat(c) + kinetic[c]);
    write(fields.entropy(), c, tracer(c));
  }
  for (int d = 0; d < 3; ++d) {
    const double spin = read(fields.spin(d)).centre - orbital[d];
    for (int c = 0; c < 8; ++c) write(fields.spin(d), c, spin);
  }
}

}  // namespace rednova::exchange
