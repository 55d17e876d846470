// Blocks of sources as the interactions on a level read them.
#pragma once

#include "gravity/layout.hpp"

namespace rednova::gravity {

/// Where the numbers of a block of sources stand (layout.hpp).
struct source_block {
  const double* values = nullptr;  ///< null: no sources here
  int numbers = 0;                 ///< numbers of a cell: 1 for point masses
  int plane_stride = 0;            ///< doubles between planes
  int class_stride = 0;            ///< doubles between classes; 0 where the cells of all parities are alike
  int plane_shift = 0;             ///< 1 where planes of both parities are alike
};

/// A block of real cells.
inline source_block real_block(const double* values, int numbers) {
  return {values, numbers, plane_size(numbers), numbers * HH, 0};
}
/// A ghost block: the eight children of each of H³ cells have equal masses, stored once, [Z][Y][X].
inline source_block ghost_source(const double* values) { return {values, 1, HH, 0, 1}; }

}  // namespace rednova::gravity
