// Slopes and edges that make no new extrema.
#pragma once

#include "exec/simd.hpp"

namespace rednova::hydro {

/// The argument of smaller magnitude if both have one sign, else 0: the median of a, b and 0.
template <class T>
REDNOVA_FN T minmod(const T& a, const T& b) {
  return exec::max(exec::min(a, b), exec::min(exec::max(a, b), T(0.0)));
}

/// The central difference, bounded by twice the one-sided ones (van Leer 1977; Colella & Woodward 1984,
/// eq. 1.8). down = a_j - a_(j-1), up = a_(j+1) - a_j; returns the change of a over the cell.
template <class T>
REDNOVA_FN T monotonised_slope(const T& down, const T& up) {
  const T least = exec::min(down, up), most = exec::max(down, up), centre = 0.5 * (down + up);
  // One of the two parts is 0, both where the signs differ.
  return exec::max(exec::min(centre, least + least), T(0.0)) + exec::min(exec::max(centre, most + most), T(0.0));
}

}  // namespace rednova::hydro
