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
struct edge_p_over_rho {
  static constexpr double spread = 1.1;

  /// heat: p/rho of the pencil's cells, as `q` in reconstruct.hpp.
  template <class T, int Cells = pencil_cells>
  REDNOVA_FLAT_FN static void agree(const double* p_over_rho, std::ptrdiff_t step, T* rho_minus, T* rho_plus,
                                    const T* p_minus, const T* p_plus) {
    T below = exec::load<T>(p_over_rho - 2 * step), here = exec::load<T>(p_over_rho - step);
    T hot = hottest(below, here), cold = coldest(below, here);
    for (int n = 0; n < Cells; ++n) {
      const T above = exec::load<T>(p_over_rho + n * step);
      bound(p_minus[n], hot, cold, rho_minus[n]);
      hot = hottest(here, above);
      cold = coldest(here, above);
      bound(p_plus[n], hot, cold, rho_plus[n]);
      here = above;
    }
  }

  /// Bounds of p/rho at an edge between cells of p/rho = a and b.
  template <class T>
  REDNOVA_FN static T hottest(const T& a, const T& b) {
    return spread * exec::max(a, b);
  }
  template <class T>
  REDNOVA_FN static T coldest(const T& a, const T& b) {
    return (1 / spread) * exec::min(a, b);
  }
  /// rho at an edge with pressure p.
  template <class T>
  REDNOVA_FN static void bound(const T& p, const T& hot, const T& cold, T& rho) {
    if (exec::any((rho * hot < p) || (rho * cold > p))) [[unlikely]]
      rho = exec::min(exec::max(rho, p / hot), p / cold);
  }
};

}  // namespace rednova::hydro
