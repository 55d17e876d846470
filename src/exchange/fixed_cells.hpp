// Cells that keep their state: those before a fixed boundary of the domain.
#pragma once

#include <array>

#include "config/parameters.hpp"
#include "exchange/face_plan.hpp"
#include "exec/macros.hpp"
#include "mesh/tree.hpp"

namespace rednova::exchange {

/// Layers before the boundary: as many as an update of the cells behind them reads, and as a coarser block has whole.
inline constexpr int fixed_layers = mesh::N / 2;
static_assert(fixed_layers >= mesh::ghosts);

/// Of a leaf's faces those at such boundaries, as bits mesh::face().
inline unsigned fixed_faces(const mesh::node& leaf, const std::array<config::boundary, mesh::faces>& boundaries) {
  unsigned fixed = 0;
  for (int face = 0; face < mesh::faces; ++face) {
    const bool ends = leaf.neighbour[static_cast<std::size_t>(side_of_face(face))] == mesh::outside;
    if (ends && boundaries[static_cast<std::size_t>(face)] == config::boundary::fixed) fixed |= 1U << face;
  }
  return fixed;
}

/// The face to whose boundary a cell of a leaf belongs, the first of several; -1: it moves. fixed: fixed_faces of
/// the leaf.
REDNOVA_FN int fixed_face(unsigned fixed, int cell) {
  const int at[3] = {cell % mesh::N, cell / mesh::N % mesh::N, cell / (mesh::N * mesh::N)};
  for (int face = 0; face < mesh::faces; ++face) {
    const int layer = face % 2 == 0 ? at[face / 2] : mesh::N - 1 - at[face / 2];
    if ((fixed >> face & 1U) != 0 && layer < fixed_layers) return face;
  }
  return -1;
}

}  // namespace rednova::exchange
