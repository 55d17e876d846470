// Edges of the gas's variables: of fifth order, without new extrema at jumps, and without clipping smooth ones.
#pragma once

#include <cstddef>

#include "exec/simd.hpp"
#include "hydro/limiter.hpp"
#include "hydro/reconstruct.hpp"

namespace rednova::hydro {

/// Edges from the five cells about each, after Suresh & Huynh (1997, JCP 136, 83). Same interface as the schemes of
/// reconstruct.hpp.
///
/// An edge is that of the quartic through five averages (eq. 2.1), brought between two bounds (eq. 2.12 with alpha = 2,
/// 2.19, 2.20-2.26), with the smaller of two curvatures in place of the smallest of four. On monotone data the bounds
/// are the averages of the edge's two cells, and twice the difference to the other neighbour. At an extremum they reach
/// as far as the parabola of the smaller of the two curvatures there. Quartic edges look upwind, and so damp what is
/// not resolved; the parabola's do not.
struct reconstruct_quartic {
  /// Edge minus average before the bounds. near: difference to the neighbour on the edge's side, far: from the one on
  /// the other side; beyond_near, beyond_far: the differences next to those. All in the direction from far to near.
  template <class T>
  REDNOVA_FN static T offset(const T& near, const T& far, const T& beyond_near, const T& beyond_far) {
    return (1.0 / 60.0) * ((24.0 * near + 11.0 * far) - (3.0 * beyond_near + 2.0 * beyond_far));
  }
  /// That offset brought between the bounds. curve_near, curve_far: curvatures at the two edges of the cell.
  template <class T>
  REDNOVA_FN static T bounded(const T& value, const T& near, const T& far, const T& curve_near, const T& curve_far) {
    const T zero(0.0);
    const T median = 0.5 * (near - curve_near), parabola = 0.5 * far + (4.0 / 3.0) * curve_far, steep = 2.0 * far;
    // Both ranges hold 0; so does what they have in common.
    const T lowest = exec::min(exec::max(exec::min(near, median), exec::min(steep, parabola)), zero);
    const T highest = exec::max(exec::min(exec::max(near, median), exec::max(steep, parabola)), zero);
    return exec::min(exec::max(value, lowest), highest);
  }

  /// The same with turn(n) added to the upper edge of cell n and taken from its lower edge, before the bounds.
  template <class T, class Turn>
  REDNOVA_FN static void turned_edges(const double* q, std::ptrdiff_t step, const Turn& turn, T* minus, T* plus) {
    const T below = exec::load<T>(q - 2 * step);
    T a = exec::load<T>(q - step), next = exec::load<T>(q);
    T down2 = below - exec::load<T>(q - 3 * step), down = a - below, up = next - a;
    T curve = up - down, curve_down = minmod(T(down - down2), curve);
    for (int n = 0; n < pencil_cells; ++n) {
      const T after = exec::load<T>(q + (n + 1) * step);
      const T up2 = after - next, next_curve = up2 - up;
      const T curve_up = minmod(curve, next_curve);
      const T x = turn(n - 1);
      // Seen downwards all differences change sign, and so does the edge's: a mirror image gives the same bits.
      plus[n] = a + bounded(T(offset(up, down, up2, down2) + x), up, down, curve_up, curve_down);
      minus[n] = a - bounded(T(offset(down, up, down2, up2) + x), down, up, T(-curve_down), T(-curve_up));
      a = next;
      next = after;
      down2 = down;
      down = up;
      up = up2;
      curve = next_curve;
      curve_down = curve_up;
    }
  }
  template <class T>
  static void edges(const double* q, std::ptrdiff_t step, T* minus, T* plus) {
    turned_edges(
        q, step, [](int) { return T(0.0); }, minus, plus);
  }
  /// Edges of what is positive: none below half of the smaller average beside it, which a deep minimum, drawn as a
  /// parabola, could otherwise be.
  template <class T>
  static void positive_edges(const double* q, std::ptrdiff_t step, T* minus, T* plus) {
    edges(q, step, minus, plus);
    T below = exec::load<T>(q - 2 * step), a = exec::load<T>(q - step);
    for (int n = 0; n < pencil_cells; ++n) {
      const T above = exec::load<T>(q + n * step);
      minus[n] = exec::max(minus[n], 0.5 * exec::min(below, a));
      plus[n] = exec::max(plus[n], 0.5 * exec::min(a, above));
      below = a;
      a = above;
    }
  }
};

}  // namespace rednova::hydro
