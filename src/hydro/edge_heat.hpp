// Edges of density and pressure that agree on a temperature.
#pragma once

#include <cstddef>

#include "exec/simd.hpp"
#include "hydro/reconstruct.hpp"

namespace rednova::hydro {

/// Moves edges of the density so that p/rho lies between `spread` times the larger and 1/`spread` times the smaller
/// p/rho of the two cells beside the edge.
///
/// Density and pressure are reconstructed apart. At the surface of a star, where both fall by orders of magnitude
/// within a cell, their edges may belong to gas that is far hotter or colder than any there; gas that leaves a cell
/// colder than it is heats the cell without end. The edge of the density stays in the range of the two cells, since
/// that of the pressure does. Smooth flows, in which p/rho changes by less than spread from cell to cell, are not
/// touched.
struct edge_heat {
  static constexpr double spread = 1.1;

  template <class T>
  static void agree(const double* rho, const double* p, std::ptrdiff_t step, T* rho_minus, T* rho_plus,
                    const T* p_minus, const T* p_plus) {
    const auto heat = [&](int n) { return exec::load<T>(p + n * step) / exec::load<T>(rho + n * step); };
    T below = heat(-2), here = heat(-1);
    for (int n = 0; n < pencil_cells; ++n) {
      const T above = heat(n);
      bound(p_minus[n], below, here, rho_minus[n]);
      bound(p_plus[n], here, above, rho_plus[n]);
      below = here;
      here = above;
    }
  }

  /// rho at an edge with pressure p between cells of p/rho = a and b.
  template <class T>
  REDNOVA_FN static void bound(const T& p, const T& a, const T& b, T& rho) {
    const T hot = spread * exec::max(a, b), cold = (1 / spread) * exec::min(a, b);
    if (exec::any((rho * hot < p) || (rho * cold > p))) [[unlikely]]
      rho = exec::min(exec::max(rho, p / hot), p / cold);
  }
};

}  // namespace rednova::hydro
