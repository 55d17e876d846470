// The orders in which functors visit cells: lanes<T> cells from cell i on, in the order of layout.hpp or within an
// octant. In one of the two orders they lie side by side in memory; load_lanes and store_lanes serve the other.
#pragma once

#include "exec/simd.hpp"
#include "gravity/layout.hpp"

namespace rednova::gravity {

inline constexpr int octant_cells = mesh::cells / 8;

/// Cells of a block in the order of layout.hpp: cell i, and those of a pack that begins there.
struct sorted_cells {
  REDNOVA_FN explicit sorted_cells(int i) : row(i / HH), in_class(i % HH) {}
  REDNOVA_FN int x() const { return 2 * (in_class % H) + (row & 1); }
  REDNOVA_FN int y() const { return 2 * (in_class / H) + (row >> 1 & 1); }
  REDNOVA_FN int z() const { return row / classes; }
  /// Index of the cell's first number.
  REDNOVA_FN int place(int numbers) const { return row * numbers * HH + in_class; }
  /// Index in the order of mesh::cell().
  REDNOVA_FN int in_order() const { return mesh::cell(x(), y(), z()); }

  int row;       ///< plane and class
  int in_class;  ///< place within it
};

/// Cells of an octant of a block, [Z][Y][X]: cell i, and those of a pack that begins there.
struct octant_cell {
  REDNOVA_FN octant_cell(int octant, int i)
      : x((octant & 1) * H + i % H), y((octant >> 1 & 1) * H + i / H % H), z((octant >> 2) * H + i / HH) {}
  /// Index of its first number in the block.
  REDNOVA_FN int place(int numbers) const { return sorted_cell(numbers, 0, x, y, z); }
  /// Index in the order of mesh::cell().
  REDNOVA_FN int in_order() const { return mesh::cell(x, y, z); }

  int x, y, z;
};

/// The children of one parity of cells i … of a parent's octant, [Z][Y][X], as sorted cells of the child block.
REDNOVA_FN sorted_cells children_of(int i, int parity) {
  return sorted_cells((i / HH * 2 * classes + parity) * HH + i % HH);
}

// Distances in memory from a pack's first cell to the cell of another lane. They do not depend on the first cell, since
// a pack begins in an even column and either lies within a row or begins in an even row.

/// For sorted cells in the order of mesh::cell().
struct sorted_in_order {
  REDNOVA_FN int operator()(int lane) const { return mesh::cell(2 * (lane % H), 2 * (lane / H), 0); }
};
/// For an octant's cells in the order of mesh::cell().
struct octant_in_order {
  REDNOVA_FN int operator()(int lane) const { return mesh::cell(lane % H, lane / H, 0); }
};
/// For an octant's cells in a block of layout.hpp.
struct octant_in_block {
  int numbers;
  REDNOVA_FN int operator()(int lane) const { return sorted_cell(numbers, 0, lane % H, lane / H, 0); }
};

/// A number of lanes<T> cells that do not lie side by side, at from + places(lane).
template <class T, class Places>
REDNOVA_FN T load_lanes(const double* from, const Places& places) {
  if constexpr (exec::lanes<T> == 1) {
    return *from;
  } else {
    static_assert(H % exec::lanes<T> == 0 || exec::lanes<T> == 2 * H);
    return T([&](auto lane) { return from[places(static_cast<int>(lane))]; });
  }
}
template <class T, class Places>
REDNOVA_FN void store_lanes(double* to, const Places& places, const T& value) {
  if constexpr (exec::lanes<T> == 1) {
    *to = value;
  } else {
    for (int lane = 0; lane < exec::lanes<T>; ++lane) to[places(lane)] = value[static_cast<std::size_t>(lane)];
  }
}

/// Stores the values of sorted cells of even x and of the cells of odd x beside them in the order of mesh::cell(), by
/// whole rows: single stores to memory that is not in the cache made a solve 2 % slower. to: of the first cell.
template <class T>
void store_interleaved(double* to, const T& even, const T& odd) {
  constexpr int n = exec::lanes<T>, half = n / 2, next = n <= H ? n : 2 * mesh::N;
  double x[2][n];
  exec::store(x[0], even);
  exec::store(x[1], odd);
  for (int part = 0; part < 2; ++part) {
    for (int i = 0; i < half; ++i) {
      to[part * next + 2 * i] = x[0][part * half + i];
      to[part * next + 2 * i + 1] = x[1][part * half + i];
    }
  }
}

/// A functor that works on the children of a parent's cells: f.at<T>(place, i, range) for the children, in a range of
/// parities, of cells i … of the parent's octant. The numbers of the parent's cells do not lie side by side; a core
/// works on all eight children at a time, so that it loads those numbers once.
template <class Functor>
concept works_on_children = Functor::cells_are_children;

/// Parities (x + 2 y + 4 z) of children: first … last - 1.
struct parity_range {
  int first, last;
};

/// Applies a functor to the block at a place, lanes<T> cells at a time. Cores take T = exec::pack.
template <class T, class Functor>
void for_block(const Functor& f, int place) {
  if constexpr (works_on_children<Functor>) {
    for (int i = 0; i < octant_cells; i += exec::lanes<T>) f.template at<T>(place, i, {0, 8});
  } else {
    for (int i = 0; i < Functor::cells; i += exec::lanes<T>) f.template at<T>(place, i);
  }
}

/// The kernel of a device: applies a functor to a single cell, counted from the block at the first place.
template <class Functor>
struct single_cells {
  Functor work;
  int first_place;

  REDNOVA_FN void operator()(int i) const {
    const int place = first_place + i / Functor::cells, cell = i % Functor::cells;
    if constexpr (works_on_children<Functor>) {
      const int row = cell / HH, parity = row % (2 * classes);
      work.template at<double>(place, row / (2 * classes) * HH + cell % HH, {parity, parity + 1});
    } else {
      work.template at<double>(place, cell);
    }
  }
};

}  // namespace rednova::gravity
