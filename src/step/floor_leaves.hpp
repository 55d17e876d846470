// Floors as functors: a quick look with a thread for each cell of a batch (step/batch.hpp), then a thread for each leaf
// of the list, most of which have nothing to do.
#pragma once

#include <cstdint>

#include "step/batch.hpp"
#include "step/cell_limits.hpp"
#include "step/stage_form.hpp"

namespace rednova::step {

/// Finds the cells of u that floors or the ceiling change.
struct limit_cells {
  state_view s;
  const int* list;
  std::uint8_t* flags;  ///< [position][cell]

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    flags[i] = !within_limits<double>(s.fields, s.limits, s.u.at(at.leaf) + at.cell);
  }
};

/// Before raise_densities: what floors added in the stages before counts by the stage's weight.
struct weigh_floor_density {
  stage_form form;
  int stage;
  double* floor_density;  ///< [own leaf][cell]

  REDNOVA_FN void operator()(int i) const { floor_density[i] = stage == 0 ? 0 : floor_density[i] * form.b; }
};

/// Whether limit_cells found any in a leaf.
REDNOVA_FN bool any_flag(const std::uint8_t* flags, int position) {
  const std::uint8_t* of_leaf = flags + static_cast<std::ptrdiff_t>(position) * mesh::cells;
  unsigned all = 0;
  for (int c = 0; c < mesh::cells; ++c) all |= of_leaf[c];
  return all != 0;
}

/// As raise_density, of u. What it adds is to be booked.
struct raise_densities {
  state_view s;
  const int* list;
  const std::uint8_t* flags;  ///< of limit_cells
  double* floor_density;      ///< [own leaf][cell]: density that floors added in this step, by the stages' weights
  double* added;              ///< [position][species]: masses

  REDNOVA_FN void operator()(int i) const {
    const int leaf = list[i], species = s.fields.species();
    double* masses = added + static_cast<std::ptrdiff_t>(i) * species;
    for (int k = 0; k < species; ++k) masses[k] = 0;
    double* account = floor_density + static_cast<std::ptrdiff_t>(leaf - s.first_leaf) * mesh::cells;
    double* u = s.u.at(leaf);
    if (!any_flag(flags, i)) return;
    const double volume = cell_volume(s.tree, leaf);
    for (int c = 0; c < mesh::cells; ++c) {
      account[c] += raise_cell_density(s.fields, s.limits.density, volume, u + c, masses);
    }
  }
};

/// As raise_energy, of u. What it adds is to be booked.
struct raise_energies {
  state_view s;
  const int* list;
  const std::uint8_t* flags;  ///< of limit_cells, after raise_densities
  double* added;              ///< [position]: energy

  REDNOVA_FN void operator()(int i) const {
    const int leaf = list[i];
    double* u = s.u.at(leaf);
    double sum = 0;
    if (any_flag(flags, i)) {
      const double volume = cell_volume(s.tree, leaf);
      for (int c = 0; c < mesh::cells; ++c) sum += volume * raise_cell_energy(s.fields, s.limits, s.eos, u + c);
    }
    added[i] = sum;
  }
};

}  // namespace rednova::step
