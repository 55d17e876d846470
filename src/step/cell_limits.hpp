// What a stage must not make of a cell, and what floors make of it. T is a double or a pack of consecutive cells.
#pragma once

#include <algorithm>
#include <cmath>

#include "config/checks.hpp"
#include "hydro/dual_energy.hpp"
#include "hydro/floors.hpp"
#include "hydro/primitives.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// What a cell must keep to.
struct cell_limits {
  mesh::field_numbers fields;
  hydro::floor_limits floors;
  double rotation;
  double dt;
};

/// A species that rounding made negative by less than this share of the mass is left to the floor, which books it:
/// a species that is nowhere in a star would otherwise send every block of it back to first order.
inline constexpr double rounding_share = 1e-12;

/// The volume of a leaf's cells.
REDNOVA_FN double cell_volume(const mesh::tree_view& t, int leaf) {
  const double h = t.cell_width(leaf);
  return h * h * h;
}

/// Momentum density. u: [field][cell], from the first of the cells on; so below.
template <class T>
REDNOVA_FN core::vec3<T> momentum_of(const mesh::field_numbers& f, const double* u) {
  const auto at = [&](int d) { return exec::load<T>(u + f.momentum(d) * mesh::cells); };
  return {at(0), at(1), at(2)};
}

/// Whether the gas in cells crosses at most a cell in a step, as seen from the grid. The step is chosen so
/// that it crosses less than half of one; what is faster after a stage took momentum without the mass that brings it,
/// as a thin cell may from a steep parabola beside it, and could be emptied by the next stage even with first-order
/// fluxes.
template <class T>
REDNOVA_FN auto slow_enough(const cell_limits& l, const double* u, const T& rho, const T& x, const T& y, double h) {
  const double fastest = h / l.dt;
  const core::vec3<T> momentum = momentum_of<T>(l.fields, u);
  const core::vec3<T> flow{momentum.x + (l.rotation * y) * rho, momentum.y - l.rotation * x * rho, momentum.z};
  return dot(flow, flow) <= (fastest * fastest) * (rho * rho);
}

/// Whether nothing in cells is below a floor or above the ceiling: the quick look that most blocks need alone.
template <class T>
REDNOVA_FN auto within_limits(const mesh::field_numbers& f, const hydro::floor_limits& limits, const double* u) {
  const auto at = [&](int field) { return exec::load<T>(u + field * mesh::cells); };
  T rho = at(0), smallest = rho;
  for (int k = 1; k < f.species(); ++k) {
    const T m = at(k);
    rho = rho + m;
    smallest = exec::min(smallest, m);
  }
  const T kinetic = hydro::kinetic_energy(rho, momentum_of<T>(f, u));
  return hydro::within_limits(rho, smallest, at(f.energy()), kinetic, at(f.entropy()), limits);
}

REDNOVA_FN double density_of(const mesh::field_numbers& f, const double* u) {
  return hydro::mass_density<double>(u, mesh::cells, f.species());
}

/// The smallest partial density of a cell, or zero if all are positive.
REDNOVA_FN double lack_of_species(const mesh::field_numbers& f, const double* u) {
  double smallest = 0;
  for (int k = 0; k < f.species(); ++k) smallest = std::min(smallest, u[k * mesh::cells]);
  return smallest;
}

/// No mass, no heat, too fast or not a number: what a stage must not make. Energy may fall below the kinetic one in
/// cold flow, where the tracer holds the heat.
REDNOVA_FN bool invalid_cell(const cell_limits& l, const double* u, double x, double y, double h) {
  const mesh::field_numbers& f = l.fields;
  const double rho = density_of(f, u);
  const bool good = rho >= l.floors.density && lack_of_species(f, u) >= -rounding_share * rho &&
                    u[f.entropy() * mesh::cells] > 0 && std::isfinite(u[f.energy() * mesh::cells]) &&
                    slow_enough(l, u, rho, x, y, h);
  return !good;
}

/// Raises what lies below the density floor in a cell; so far that its momentum, which stays, does not make it faster
/// than `fastest`. Returns the density that it gained; adds to masses[k] what each species did.
REDNOVA_FN double raise_cell_density(const mesh::field_numbers& f, double floor, double fastest, double volume,
                                     double* u, double* masses) {
  const double before = density_of(f, u);
  if (before >= floor && lack_of_species(f, u) >= 0) return 0;
  if (before < floor) {
    const core::vec3d s = momentum_of<double>(f, u);
    floor = exec::max(floor, exec::sqrt(dot(s, s)) / fastest);
  }
  double added[config::max_species];
  hydro::floor_species(u, f.species(), mesh::cells, floor, added);
  for (int k = 0; k < f.species(); ++k) masses[k] += volume * added[k];
  return density_of(f, u) - before;
}

/// Raises the heat of a cell to its floor, or lowers it to its ceiling. Returns the energy density that it gained.
REDNOVA_FN double raise_cell_energy(const mesh::field_numbers& f, const hydro::floor_limits& limits,
                                    const eos::gas& eos, double* u) {
  const double rho = density_of(f, u);
  double &energy = u[f.energy() * mesh::cells], &tracer = u[f.entropy() * mesh::cells];
  const double kinetic = hydro::kinetic_energy(rho, momentum_of<double>(f, u));
  const hydro::floored_energy r = eos.at(rho, eos.hydrogen(u, mesh::cells), [&](const auto& gas) {
    return hydro::limit_energy(rho, energy, kinetic, tracer, limits, gas);
  });
  energy = r.energy;
  tracer = r.tracer;
  return r.added;
}

/// Sets cells' entropy tracers where their energy is the better witness. around: energy, at the first of the cells in a
/// block with ghost layers.
template <class T>
REDNOVA_FN void synchronise_cells(const mesh::field_numbers& f, double share, const eos::gas& eos, double* u,
                                  const double* around) {
  T largest = exec::load<T>(around);
  for (const int step : {1, mesh::M, mesh::M * mesh::M}) {
    largest = exec::max(largest, exec::load<T>(around - step));
    largest = exec::max(largest, exec::load<T>(around + step));
  }
  double* const tracer = u + f.entropy() * mesh::cells;
  const T rho = hydro::mass_density<T>(u, mesh::cells, f.species()),
          energy = exec::load<T>(u + f.energy() * mesh::cells);
  const T kinetic = hydro::kinetic_energy(rho, momentum_of<T>(f, u)), before = exec::load<T>(tracer);
  exec::store(tracer, eos.at(rho, eos.hydrogen<T>(u, mesh::cells), [&](const auto& gas) {
    return hydro::synchronised_tracer(gas, energy, kinetic, before, largest, share);
  }));
}

}  // namespace rednova::step
