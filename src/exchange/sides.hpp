// The cells around a block, by side: which are filled, and from which coarse cells where the neighbour is coarser.
#pragma once

#include <array>
#include <cstdlib>

#include "mesh/block.hpp"
#include "mesh/tree.hpp"

namespace rednova::exchange {

/// -1, 0 or 1 in each direction.
constexpr std::array<int, 3> offset(int side) { return {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1}; }

/// Cells first … last-1 in each direction.
struct cell_box {
  std::array<int, 3> first, last;
};

/// The cells of a ghosted block that a side fills: all layers beyond a face, one beyond an edge, none beyond a corner.
inline cell_box cells_of(const std::array<int, 3>& d) {
  const int across = std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]);
  const int depth = across <= 1 ? mesh::ghosts : across == 2 ? 1 : 0;
  cell_box b{};
  for (std::size_t a = 0; a < 3; ++a) {
    b.first[a] = d[a] < 0 ? -depth : d[a] == 0 ? 0 : mesh::N;
    b.last[a] = d[a] < 0 ? 0 : d[a] == 0 ? mesh::N : mesh::N + depth;
  }
  return b;
}

/// Index of a fine block's parent's first cell, counted in the fine block's own cells.
constexpr int parent_origin(int octant, int direction) { return -(octant >> direction & 1) * mesh::N; }

/// The coarse cells that those of a side lie in, counted from the fine block's parent; they may lie beyond it.
inline cell_box coarse_cells_of(const std::array<int, 3>& d, int octant) {
  const cell_box fine = cells_of(d);
  cell_box b{};
  for (std::size_t a = 0; a < 3; ++a) {
    const int o = parent_origin(octant, static_cast<int>(a));
    b.first[a] = (fine.first[a] - o) >> 1;
    b.last[a] = fine.last[a] > fine.first[a] ? ((fine.last[a] - 1 - o) >> 1) + 1 : b.first[a];
  }
  return b;
}

/// Which neighbour, by side, holds a cell that is counted from a block and may lie beyond it.
constexpr int side_of_cell(int i, int j, int k) {
  const auto beyond = [](int p) { return p < 0 ? -1 : p >= mesh::N ? 1 : 0; };
  return mesh::side(beyond(i), beyond(j), beyond(k));
}
/// Its place in that neighbour.
constexpr int cell_in_neighbour(int i, int j, int k) {
  return mesh::cell((i + mesh::N) % mesh::N, (j + mesh::N) % mesh::N, (k + mesh::N) % mesh::N);
}

template <class Body>
void for_cells(const cell_box& b, const Body& body) {
  for (int k = b.first[2]; k < b.last[2]; ++k) {
    for (int j = b.first[1]; j < b.last[1]; ++j) {
      for (int i = b.first[0]; i < b.last[0]; ++i) body(i, j, k);
    }
  }
}

}  // namespace rednova::exchange
