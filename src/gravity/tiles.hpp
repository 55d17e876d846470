// How packs cover a class of a plane.
#pragma once

#include "exec/simd.hpp"
#include "gravity/layout.hpp"

namespace rednova::gravity {

inline constexpr int W = exec::lanes<exec::pack>;
inline constexpr int tiles = HH / W;  ///< packs of a class in a plane
static_assert(H % W == 0 || W == 2 * H, "a tile is part of a row or two rows");

}  // namespace rednova::gravity
