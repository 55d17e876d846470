// Planes and axes that an input asks for: "z", "z=0.5".
#pragma once

#include <optional>
#include <string>

namespace rednova::output {

/// A plane across an axis (0, 1, 2), or the axis alone.
struct plane {
  int axis = 2;
  double at = 0;
};

/// "x", "y", "z" or "z=0.5"; nothing where that is no plane.
std::optional<plane> plane_of(const std::string& text);

}  // namespace rednova::output
