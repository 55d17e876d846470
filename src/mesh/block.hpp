// The shape of a block: the unit of refinement, work and storage.
#pragma once

#include "core/vec3.hpp"

namespace rednova::mesh {

inline constexpr int N = REDNOVA_BLOCK_SIZE;  ///< cells along an edge
inline constexpr int ghosts = 3;              ///< layers of neighbouring cells that a block's update reads
inline constexpr int cells = N * N * N;
inline constexpr int M = N + 2 * ghosts;  ///< edge of a block with its ghost layers
static_assert(N == 8 || N == 16, "blocks of 8 or 16 cells");

/// Position of a cell in a block's arrays: x runs fastest.
constexpr int cell(int i, int j, int k) { return (k * N + j) * N + i; }

/// Position of a cell in a block with ghost layers; i, j, k from -ghosts to N+ghosts-1.
constexpr int ghosted(int i, int j, int k) { return ((k + ghosts) * M + (j + ghosts)) * M + (i + ghosts); }
inline constexpr int ghosted_cells = M * M * M;

/// Faces of a block: 0 and 1 are the lower and upper one in x, 2 and 3 in y, 4 and 5 in z.
inline constexpr int faces = 6;
constexpr int face(int direction, int upper) { return 2 * direction + upper; }

/// Number of the neighbour at offset (dx, dy, dz), each -1, 0 or 1; 13 is the block itself.
constexpr int side(int dx, int dy, int dz) { return (dz + 1) * 9 + (dy + 1) * 3 + (dx + 1); }
inline constexpr int sides = 27;

}  // namespace rednova::mesh
