// What the weight of a cell lacks where density and acceleration vary within it, as a flux of momentum.
#pragma once

#include <cstddef>
#include <numbers>

#include "exec/simd.hpp"
#include "mesh/block.hpp"

namespace rednova::hydro {

/// Gravity pulls a cell by the average of rho g, and its source of momentum is the product of the averages. They
/// differ, to second order, by (h²/12) grad rho · grad g: in a star with 13 cells to its radius by a hundredth of what
/// holds its outer layers. With curl g = 0 and div g = -4 pi rho (G = 1) that is the divergence of a symmetric tensor,
///
///     (h²/12) d_j rho d_j g_i = d_j [(h²/12) (rho d_j g_i + 2 pi rho² delta_ij)],
///
/// so as a flux through faces it keeps momentum and, with its torque on the cells' spins, angular momentum to
/// rounding; its work is that of the mean velocity. All stages of a step take the force at its start: the error of
/// first order in time is of a term in h².
///
/// Where it does not hold: beside finer cells, whose flux with their h² counts, a coarse cell keeps an error of first
/// order, as gravity has there; at the domain's boundary, where the weight turns round, gas should be thin; and the
/// field of point masses has no density here, so that within their softening lengths the term is off by (h²/12) rho
/// times the field's Laplacian, half of which the value at the cell's centre lacks anyhow.
struct gravity_stress {
  double h;  ///< width of the cells

  /// The density at a face: the mean, but at most twice the thinner cell's, so that thin gas is not thrown about.
  template <class T>
  REDNOVA_FN static T density(const T& below, const T& above) {
    return exec::min(T(0.5 * (below + above)), T(2.0 * exec::min(below, above)));
  }
  /// Flux of a component of momentum through a face with that density. rise: by which this component of the
  /// acceleration grows from the cell below to the one above; normal: whether it is the one along the face's normal.
  template <class T>
  REDNOVA_FN T flux(const T& rho, const T& rise, bool normal) const {
    const T tension = normal ? T(rise + (2.0 * std::numbers::pi * h) * rho) : rise;
    return (-h / 12.0) * (rho * tension);
  }

  /// What these fluxes give to the momentum of lanes<T> cells, per volume and time: take(d, force). rho, g: the cells'
  /// density and acceleration, whose components are `component` apart, in arrays with ghost layers (mesh::ghosted()).
  template <class T, class Take>
  REDNOVA_FN void forces(const double* rho, const double* g, std::ptrdiff_t component, const Take& take) const {
    constexpr std::ptrdiff_t step[3] = {1, mesh::M, std::ptrdiff_t(mesh::M) * mesh::M};
    const T here = exec::load<T>(rho);
    T lower[3], upper[3];
    for (int j = 0; j < 3; ++j) {
      lower[j] = density(exec::load<T>(rho - step[j]), here);
      upper[j] = density(here, exec::load<T>(rho + step[j]));
    }
    for (int d = 0; d < 3; ++d) {
      const double* at = g + d * component;
      const T g_here = exec::load<T>(at);
      T sum = (2.0 * std::numbers::pi * h) * (upper[d] * upper[d] - lower[d] * lower[d]);
      for (int j = 0; j < 3; ++j) {
        const T rise_below = g_here - exec::load<T>(at - step[j]), rise_above = exec::load<T>(at + step[j]) - g_here;
        sum = sum + (upper[j] * rise_above - lower[j] * rise_below);
      }
      take(d, T((1.0 / 12.0) * sum));
    }
  }
};

}  // namespace rednova::hydro
