// Floors as functors: a quick look with a thread for each cell of a batch (step/batch.hpp), then a thread for each row
// of cells, most of which have nothing to do, and one for each number that is added up over a leaf.
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

/// As raise_density, of u, a thread for each row of cells of a list. What it adds is to be booked, after add_rows.
struct raise_densities {
  state_view s;
  const int* list;
  const std::uint8_t* flags;  ///< of limit_cells
  double* floor_density;      ///< [own leaf][cell]: density that floors added in this step, by the stages' weights
  double* of_rows;            ///< [position][row][species]: masses; not written where there are no flags

  REDNOVA_FN void operator()(int i) const {
    if (flags_of_row(flags, i) == 0) return;
    const batch_item at(list, i, rows_of_leaf);
    const int species = s.fields.species(), first = at.number * mesh::N;
    double* masses = of_rows + static_cast<std::ptrdiff_t>(i) * species;
    for (int k = 0; k < species; ++k) masses[k] = 0;
    double* account = floor_density + static_cast<std::ptrdiff_t>(at.leaf - s.first_leaf) * mesh::cells;
    double* u = s.u.at(at.leaf);
    const double volume = cell_volume(s.tree, at.leaf);
    for (int c = first; c < first + mesh::N; ++c) {
      account[c] += raise_cell_density(s.fields, s.limits.density, volume, u + c, masses);
    }
  }
};

/// As raise_energy, of u, a thread for each row of cells of a list. What it adds is to be booked, after add_rows.
struct raise_energies {
  state_view s;
  const int* list;
  const std::uint8_t* flags;  ///< of limit_cells, after raise_densities
  double* of_rows;            ///< [position][row]: energy; not written where there are no flags

  REDNOVA_FN void operator()(int i) const {
    if (flags_of_row(flags, i) == 0) return;
    const batch_item at(list, i, rows_of_leaf);
    double* u = s.u.at(at.leaf) + at.number * mesh::N;
    const double volume = cell_volume(s.tree, at.leaf);
    double sum = 0;
    for (int c = 0; c < mesh::N; ++c) sum += volume * raise_cell_energy(s.fields, s.limits, s.eos, u + c);
    of_rows[i] = sum;
  }
};

/// Adds up the rows of leaves, a thread for each number of a leaf.
struct add_rows {
  const std::uint8_t* flags;  ///< of limit_cells: rows without any hold nothing
  const double* of_rows;      ///< [position][row][number]
  int numbers;                ///< of a row, and of a leaf
  double* added;              ///< [position][number]

  REDNOVA_FN void operator()(int i) const {
    double sum = 0;
    const int first = i / numbers * rows_of_leaf;
    for (int row = first; row < first + rows_of_leaf; ++row) {
      if (flags_of_row(flags, row) != 0) sum += of_rows[static_cast<std::ptrdiff_t>(row) * numbers + i % numbers];
    }
    added[i] = sum;
  }
};

}  // namespace rednova::step
