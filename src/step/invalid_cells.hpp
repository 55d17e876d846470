// Which cells a stage must not make (cell_limits.hpp): cell by cell, then for whole leaves.
#pragma once

#include <cstdint>

#include "step/batch.hpp"
#include "step/cell_limits.hpp"
#include "step/stage_cells.hpp"

namespace rednova::step {

/// What is said of a cell.
inline constexpr std::uint8_t cell_stands_out = 1;  ///< the quick look finds it below a limit, or too fast
inline constexpr std::uint8_t cell_is_invalid = 2;  ///< and the close one finds it invalid; it has no mark yet

/// The quick look at next, which no invalid cell passes.
struct find_outstanding_cells {
  state_view s;
  double dt;
  std::uint8_t* flags;  ///< [position][cell]: cell_stands_out or 0

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    const cell_limits limits{s.fields, s.limits, s.rotation, dt};
    const double* u = s.next.at(at.leaf) + at.cell;
    const core::vec3<T> x = centres<T>(s.tree, at.leaf, at.cell);
    const T rho = hydro::mass_density<T>(u, mesh::cells, s.fields.species());
    const T energy = exec::load<T>(u + s.fields.energy() * mesh::cells);
    const auto positive = exec::load<T>(u + s.fields.entropy() * mesh::cells) > 0.0;
    const auto finite = energy - energy == 0.0;
    const auto good = within_limits<T>(s.fields, s.limits, u) && positive && finite &&
                      slow_enough(limits, u, rho, x.x, x.y, s.tree.cell_width(at.leaf));
    exec::store_flags(flags + at.position * mesh::cells + at.cell, !good);
  }
};

/// Looks closely at rows of cells where some stand out.
struct find_invalid_cells {
  state_view s;
  double dt;
  mesh::block_view<const double> troubled;  ///< of leaves: not zero where a cell was invalid before; may have no values
  std::uint8_t* flags;  ///< of find_outstanding_cells, in place of which cell_is_invalid stands then

  REDNOVA_FN void operator()(const batch_item& at) const {
    const int row = at.position * rows_of_leaf + at.number;
    if (flags_of_row(flags, row) == 0) return;
    const cell_limits limits{s.fields, s.limits, s.rotation, dt};
    const double h = s.tree.cell_width(at.leaf);
    for (int i = 0; i < mesh::N; ++i) {
      const int cell = at.number * mesh::N + i;
      if (flags[row * mesh::N + i] == 0) continue;
      if (troubled.values != nullptr && troubled.at(at.leaf)[cell] != 0) continue;
      const core::vec3d x = s.tree.centre(at.leaf, cell);
      if (invalid_cell(limits, s.next.at(at.leaf) + cell, x.x, x.y, h)) flags[row * mesh::N + i] = cell_is_invalid;
    }
  }
};

/// Whether leaves have invalid cells, and which of these are troubled, where that is kept.
struct find_invalid_leaves {
  state_view s;
  const std::uint8_t* flags;          ///< [position][cell], of find_invalid_cells
  mesh::block_view<double> troubled;  ///< of leaves: set where a cell is invalid; may have no values
  std::uint8_t* found;                ///< [own leaf]

  REDNOVA_FN void operator()(const batch_item& at) const {
    std::uint64_t all = 0;
    for (int row = 0; row < rows_of_leaf; ++row) all |= flags_of_row(flags, at.position * rows_of_leaf + row);
    const bool any = (all & in_all_bytes(cell_is_invalid)) != 0;
    found[at.leaf - s.first_leaf] = any ? 1 : 0;
    if (!any || troubled.values == nullptr) return;
    const std::uint8_t* of_leaf = flags + static_cast<std::ptrdiff_t>(at.position) * mesh::cells;
    for (int c = 0; c < mesh::cells; ++c) {
      if ((of_leaf[c] & cell_is_invalid) != 0) troubled.at(at.leaf)[c] = 1;
    }
  }
};

/// No cell is troubled.
struct no_troubled {
  double* troubled;

  REDNOVA_FN void operator()(int i) const { troubled[i] = 0; }
};

/// hydro::block_input::first_order of troubled cells gathered with their ghost layers: ghosted_cells items a leaf.
struct first_order_cells {
  const double* troubled;     ///< [position][ghosted cell]
  std::uint8_t* first_order;  ///< [position][ghosted cell]

  REDNOVA_FN void operator()(const batch_item& at) const {
    const std::ptrdiff_t i = static_cast<std::ptrdiff_t>(at.position) * mesh::ghosted_cells + at.number;
    first_order[i] = troubled[i] > 0;
  }
};

}  // namespace rednova::step
