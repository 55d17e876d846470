// How fine a mesh a star asks for.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace rednova::stellar {

inline constexpr double fewest_cells = 2;  ///< to a radius; with less no mass has a surface
inline constexpr double enough_cells = 8;  ///< to a radius, for a surface and a profile

/// What to do for a star with so few cells to its radius on level max_level: "raise mesh.max_level from 4 to 5 or
/// more".
inline std::string finer_mesh(double cells, int max_level) {
  constexpr double finest_level = 20;  // that mesh.max_level may have
  const double level = max_level + std::ceil(std::log2(enough_cells / cells));
  if (level > finest_level) return "no mesh.max_level is enough for this: take a larger star or a smaller domain";
  return fmt::format("raise mesh.max_level from {} to {} or more", max_level, level);
}

}  // namespace rednova::stellar
