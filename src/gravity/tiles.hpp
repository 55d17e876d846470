// How packs cover a class of a plane.
#pragma once

#include "exec/simd.hpp"
#include "exec/tile.hpp"
#include "gravity/layout.hpp"

namespace rednova::gravity {

inline constexpr int W = exec::lanes<exec::pack>;
inline constexpr int packs_of_class = HH / W;  ///< in a plane
static_assert(H % W == 0 || W == 2 * H, "a pack is part of a row or two rows");

/// Targets are done by tiles of so many packs: where registers are few, a coefficient is read once for two.
inline constexpr int tile_packs = exec::registers >= 32 ? 1 : 2;
inline constexpr int tile_cells = tile_packs * W;
inline constexpr int tiles = HH / tile_cells;  ///< of a class in a plane
static_assert(HH % tile_cells == 0);

}  // namespace rednova::gravity
