// Which cells a stage must not make, as functors: a thread for each cell of a batch (step/batch.hpp), then one for each
// leaf. Together as find_bad_cells.
#pragma once

#include <cstdint>

#include "step/batch.hpp"
#include "step/cell_limits.hpp"
#include "step/stage_cells.hpp"

namespace rednova::step {

/// What is said of a cell.
inline constexpr std::uint8_t cell_stands_out = 1;  ///< the quick look finds it below a limit, or too fast
inline constexpr std::uint8_t cell_is_bad = 2;      ///< and has no mark yet

struct bad_cells {
  state_view s;
  double dt;
  const int* list;
  mesh::block_view<const double> marks;  ///< of leaves: not zero where a cell was bad before; may have no values
  std::uint8_t* flags;                   ///< [position][cell]: sum of the above

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    const cell_limits limits{s.fields, s.limits, s.rotation, dt};
    const double* u = s.next.at(at.leaf) + at.cell;
    const core::vec3d x = s.tree.centre(at.leaf, at.cell);
    const double h = s.tree.cell_width(at.leaf);
    const bool good =
        within_limits<double>(s.fields, s.limits, u) && slow_enough(limits, u, density_of(s.fields, u), x.x, x.y, h);
    const bool marked = marks.values != nullptr && marks.at(at.leaf)[at.cell] != 0;
    const bool bad = !marked && bad_cell(limits, u, x.x, x.y, h);
    flags[i] = static_cast<std::uint8_t>((good ? 0 : cell_stands_out) + (bad ? cell_is_bad : 0));
  }
};

/// Whether leaves have bad cells, a thread for each leaf of a list; those get marks where there are marks.
struct bad_leaves {
  const int* list;
  const std::uint8_t* flags;       ///< [position][cell], of bad_cells
  mesh::block_view<double> marks;  ///< of leaves; may have no values
  std::uint8_t* found;             ///< [position]

  REDNOVA_FN void operator()(int i) const {
    std::uint64_t all = 0;
    for (int row = 0; row < rows_of_leaf; ++row) all |= flags_of_row(flags, i * rows_of_leaf + row);
    // Where the quick look finds nothing, nothing is bad: with floors of zero the two are not the same.
    found[i] = (all & in_all_bytes(cell_stands_out)) != 0 && (all & in_all_bytes(cell_is_bad)) != 0;
    if (found[i] == 0 || marks.values == nullptr) return;
    const std::uint8_t* of_leaf = flags + static_cast<std::ptrdiff_t>(i) * mesh::cells;
    for (int c = 0; c < mesh::cells; ++c) {
      if ((of_leaf[c] & cell_is_bad) != 0) marks.at(list[i])[c] = 1;
    }
  }
};

/// Takes marks away.
struct no_marks {
  double* marks;

  REDNOVA_FN void operator()(int i) const { marks[i] = 0; }
};

/// hydro::block_input::first_order of marks gathered with their ghost layers.
struct first_order_cells {
  const double* marks;
  std::uint8_t* first_order;

  REDNOVA_FN void operator()(int i) const { first_order[i] = marks[i] > 0; }
};

}  // namespace rednova::step
