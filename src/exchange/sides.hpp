// The cells around a block, by side: which are filled, and from which coarse cells where the neighbour is coarser.
#pragma once

#include <array>

#include "mesh/block.hpp"
#include "mesh/tree.hpp"

namespace rednova::exchange {

/// -1, 0 or 1 in each direction.
constexpr std::array<int, 3> offset(int side) { return {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1}; }

/// Cells first … last-1 in each direction.
struct cell_box {
  std::array<int, 3> first, last;

  constexpr int length(std::size_t direction) const { return last[direction] - first[direction]; }
  constexpr bool holds(const std::array<int, 3>& x) const {
    bool inside = true;
    for (std::size_t a = 0; a < 3; ++a) inside = inside && x[a] >= first[a] && x[a] < last[a];
    return inside;
  }
  /// The n-th of them in the order of for_cells.
  constexpr std::array<int, 3> cell(int n) const {
    const int row = n / length(0);
    return {first[0] + n % length(0), first[1] + row % length(1), first[2] + row / length(1)};
  }
};

/// The cells of a ghosted block that a side fills: all layers beyond a face, one beyond an edge, none beyond a corner.
constexpr cell_box cells_of(const std::array<int, 3>& d) {
  const int across = (d[0] != 0 ? 1 : 0) + (d[1] != 0 ? 1 : 0) + (d[2] != 0 ? 1 : 0);
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
constexpr cell_box coarse_cells_of(const std::array<int, 3>& d, int octant) {
  const cell_box fine = cells_of(d);
  cell_box b{};
  for (std::size_t a = 0; a < 3; ++a) {
    const int o = parent_origin(octant, static_cast<int>(a));
    b.first[a] = (fine.first[a] - o) >> 1;
    b.last[a] = fine.last[a] > fine.first[a] ? ((fine.last[a] - 1 - o) >> 1) + 1 : b.first[a];
  }
  return b;
}

/// One of the eight children of a coarse cell that is counted from the fine block's parent, in the fine block's cells.
constexpr std::array<int, 3> child_cell(const std::array<int, 3>& coarse, int child, int octant) {
  return {2 * coarse[0] + (child & 1) + parent_origin(octant, 0),
          2 * coarse[1] + (child >> 1 & 1) + parent_origin(octant, 1),
          2 * coarse[2] + (child >> 2) + parent_origin(octant, 2)};
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

/// Cells of the ghost layers, and the coarse cells that those of a block's sides lie in, if all sides are coarser.
inline constexpr int edges = 12;
inline constexpr int face_cells = mesh::ghosts * mesh::N * mesh::N, edge_cells = mesh::N;
inline constexpr int coarse_face_cells = (mesh::ghosts + 1) / 2 * (mesh::N / 2) * (mesh::N / 2),
                     coarse_edge_cells = mesh::N / 2;
inline constexpr int ghost_cells = mesh::faces * face_cells + edges * edge_cells,
                     coarse_ghost_cells = mesh::faces * coarse_face_cells + edges * coarse_edge_cells;

/// A cell of the ghost layers by its side, and its number there.
struct cell_of_side {
  int side, number;
};

/// The n-th cell of the ghost layers if each face has so many and each edge: faces come first.
constexpr cell_of_side nth_of_sides(int n, int of_face, int of_edge) {
  const auto step = [](int direction) { return direction == 0 ? 1 : direction == 1 ? 3 : 9; };
  constexpr int middle = mesh::side(0, 0, 0);
  if (n < mesh::faces * of_face) {
    const int face = n / of_face;
    return {middle + (face % 2 == 0 ? -1 : 1) * step(face / 2), n % of_face};
  }
  const int in_edges = n - mesh::faces * of_face, edge = in_edges / of_edge, along = edge / 4;
  return {
      middle + ((edge & 1) == 0 ? -1 : 1) * step((along + 1) % 3) + ((edge & 2) == 0 ? -1 : 1) * step((along + 2) % 3),
      in_edges % of_edge};
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
