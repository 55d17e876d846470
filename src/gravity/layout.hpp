// How gravity stores a block: its cells are sorted by parity, because pairs are chosen by their parents.
//
// [plane k][class y&1, x&1][number][Y][X] with X = x/2, Y = y/2: for given parities of two cells the pairs that
// interact depend on the distance of their parents alone, and the H cells of a row are neighbours in memory.
#pragma once

#include "core/index.hpp"
#include "mesh/block.hpp"

namespace rednova::gravity {

using core::index;

inline constexpr int H = mesh::N / 2;  ///< cells of one parity along an edge
inline constexpr int HH = H * H;       ///< cells of one class in a plane
inline constexpr int classes = 4;      ///< parities of x and y

/// Class of cells with the parities of (x, y).
constexpr int class_of(int x, int y) { return (y & 1) * 2 + (x & 1); }
/// Index of cell (x, y) within its class.
constexpr int place_in_class(int x, int y) { return (y >> 1) * H + (x >> 1); }

/// Index of a number of a cell in a block that stores `numbers` for each.
constexpr int sorted_cell(int numbers, int number, int x, int y, int z) {
  return ((z * classes + class_of(x, y)) * numbers + number) * HH + place_in_class(x, y);
}

/// Size of a plane of constant z.
constexpr int plane_size(int numbers) { return classes * numbers * HH; }
/// Size of a block.
constexpr int block_size(int numbers) { return mesh::N * plane_size(numbers); }

}  // namespace rednova::gravity
