// Floors and the ceiling of heat (hydro/floors.hpp): a quick look at all cells, then rows of cells, most of which have
// nothing to do, and the sums over each leaf for the ledger.
#pragma once

#include <cstdint>

#include "step/batch.hpp"
#include "step/cell_limits.hpp"
#include "step/stage_form.hpp"

namespace rednova::step {

/// Finds the cells of u that floors or the ceiling change.
struct find_beyond_limits {
  state_view s;
  std::uint8_t* flags;  ///< [position][cell]

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    exec::store_flags(flags + at.position * mesh::cells + at.cell,
                      !within_limits<T>(s.fields, s.limits, s.u.at(at.leaf) + at.cell));
  }
};

/// Before raise_densities: what floors added in the stages before counts by the stage's weight.
struct weigh_floor_density {
  state_view s;
  stage_form form;
  int stage;

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    double* added = s.floor_density.at(at.leaf) + at.cell;
    exec::store(added, stage == 0 ? T(0.0) : T(exec::load<T>(added) * form.b));
  }
};

/// Raises densities of u to the floor, row by row of cells. Gas raised so crosses a cell in a step at most: an empty
/// cell may hold momentum that came without mass, where first-order fluxes did not help (positivity.hpp).
struct raise_densities {
  state_view s;
  double dt;
  const std::uint8_t* flags;  ///< of find_beyond_limits
  double* of_rows;            ///< [position][row][species]: masses added; not written where there are no flags

  REDNOVA_FN void operator()(const batch_item& at) const {
    const int row = at.position * rows_of_leaf + at.number;
    if (flags_of_row(flags, row) == 0) return;
    const int species = s.fields.species(), first = at.number * mesh::N;
    double* masses = of_rows + static_cast<std::ptrdiff_t>(row) * species;
    for (int k = 0; k < species; ++k) masses[k] = 0;
    double *added = s.floor_density.at(at.leaf), *u = s.u.at(at.leaf);
    const double volume = cell_volume(s.tree, at.leaf), fastest = s.tree.cell_width(at.leaf) / dt;
    for (int c = first; c < first + mesh::N; ++c) {
      added[c] += raise_cell_density(s.fields, s.limits.density, fastest, volume, u + c, masses);
    }
  }
};

/// Raises heat of u to its floor, or lowers it to its ceiling, row by row of cells.
struct raise_energies {
  state_view s;
  const std::uint8_t* flags;  ///< of find_beyond_limits, after raise_densities
  double* of_rows;            ///< [position][row]: energy added; not written where there are no flags

  REDNOVA_FN void operator()(const batch_item& at) const {
    const int row = at.position * rows_of_leaf + at.number;
    if (flags_of_row(flags, row) == 0) return;
    double* u = s.u.at(at.leaf) + at.number * mesh::N;
    const double volume = cell_volume(s.tree, at.leaf);
    double sum = 0;
    for (int c = 0; c < mesh::N; ++c) sum += volume * raise_cell_energy(s.fields, s.limits, s.eos, u + c);
    of_rows[row] = sum;
  }
};

/// Adds up the rows of leaves, an item for each number of a row.
struct add_rows {
  const std::uint8_t* flags;  ///< of find_beyond_limits: rows without any hold nothing
  const double* of_rows;      ///< [position][row][number]
  int numbers;                ///< of a row, and of a leaf
  double* added;              ///< [own leaf][number]
  int first_leaf;

  REDNOVA_FN void operator()(const batch_item& at) const {
    double sum = 0;
    const int first = at.position * rows_of_leaf;
    for (int row = first; row < first + rows_of_leaf; ++row) {
      if (flags_of_row(flags, row) != 0) sum += of_rows[static_cast<std::ptrdiff_t>(row) * numbers + at.number];
    }
    added[static_cast<std::ptrdiff_t>(at.leaf - first_leaf) * numbers + at.number] = sum;
  }
};

}  // namespace rednova::step
