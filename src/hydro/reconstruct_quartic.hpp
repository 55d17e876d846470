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
  /// Edge minus average, `value`, brought between the bounds. near: difference to the neighbour on the edge's side,
  /// far: from the one on the other side, in the direction from far to near; median = (near - curvature at this edge) /
  /// 2, parabola = far / 2 + 4/3 of the curvature at the other edge, steep = 2 far.
  template <class T>
  REDNOVA_FN static T bounded(const T& value, const T& near, const T& median, const T& parabola, const T& steep) {
    const T zero(0.0);
    // Both ranges hold 0; so does what they have in common.
    const T lowest = exec::min(exec::max(exec::min(near, median), exec::min(steep, parabola)), zero);
    const T highest = exec::max(exec::min(exec::max(near, median), exec::max(steep, parabola)), zero);
    return exec::min(exec::max(value, lowest), highest);
  }

  /// A difference between neighbours and a curvature at an edge, with the multiples that the bounds ask for: each
  /// serves the two cells beside it.
  template <class T>
  struct difference {
    T whole, half, twice;
    REDNOVA_FN explicit difference(const T& d) : whole(d), half(0.5 * d), twice(d + d) {}
  };
  template <class T>
  struct curvature {
    T half, more;
    REDNOVA_FN explicit curvature(const T& c) : half(0.5 * c), more((4.0 / 3.0) * c) {}
  };

  /// Edges with turn(n) added to the upper edge of cell n and taken from its lower edge, before the bounds.
  ///
  /// The quartic's edges lie at ±(even) + odd from the average, where with differences d-2 … d+2 between the five cells
  /// even = (35 (d-1 + d+1) - 5 (d-2 + d+2)) / 120 and odd = (13 (d+1 - d-1) - (d+2 - d-2)) / 120.
  template <class T, int Cells = pencil_cells, class Turn>
  REDNOVA_FN static void turned_edges(const double* q, std::ptrdiff_t step, const Turn& turn, T* minus, T* plus) {
    const T below = exec::load<T>(q - 2 * step);
    T a = exec::load<T>(q - step), next = exec::load<T>(q);
    T down2 = below - exec::load<T>(q - 3 * step), curve = (next - a) - (a - below);
    difference<T> down(T(a - below)), up(T(next - a));
    curvature<T> curve_down(minmod(T(down.whole - down2), curve));
    for (int n = 0; n < Cells; ++n) {
      const T after = exec::load<T>(q + (n + 1) * step);
      const difference<T> up2(T(after - next));
      const T next_curve = up2.whole - up.whole;
      const curvature<T> curve_up(minmod(curve, next_curve));
      // Seen downwards `even` and the bounds change sign and `odd` does not: a mirror image gives the same bits.
      const T even = ((35.0 / 120) * (down.whole + up.whole) - (5.0 / 120) * (down2 + up2.whole)) + turn(n - 1);
      const T odd = (13.0 / 120) * curve - (1.0 / 120) * (up2.whole - down2);
      plus[n] =
          a + bounded(T(even + odd), up.whole, T(up.half - curve_up.half), T(down.half + curve_down.more), down.twice);
      minus[n] =
          a - bounded(T(even - odd), down.whole, T(down.half + curve_down.half), T(up.half - curve_up.more), up.twice);
      a = next;
      next = after;
      down2 = down.whole;
      down = up;
      up = up2;
      curve = next_curve;
      curve_down = curve_up;
    }
  }

  template <class T, int Cells = pencil_cells>
  REDNOVA_FLAT_FN static void edges(const double* q, std::ptrdiff_t step, T* minus, T* plus) {
    turned_edges<T, Cells>(
        q, step, [](int) { return T(0.0); }, minus, plus);
  }
};

/// Edges of what is positive: the scheme's own if it is one of reconstruct.hpp.
template <class Scheme>
struct positive {
  template <class T, int Cells = pencil_cells>
  REDNOVA_FLAT_FN static void edges(const double* q, std::ptrdiff_t step, T* minus, T* plus) {
    Scheme::template edges<T, Cells>(q, step, minus, plus);
  }
};

/// None below half of the smaller average beside it, which a deep minimum, drawn as a parabola, could otherwise have.
template <>
struct positive<reconstruct_quartic> {
  template <class T, int Cells = pencil_cells>
  REDNOVA_FLAT_FN static void edges(const double* q, std::ptrdiff_t step, T* minus, T* plus) {
    reconstruct_quartic::edges<T, Cells>(q, step, minus, plus);
    T a = exec::load<T>(q - step), lowest = 0.5 * exec::min(exec::load<T>(q - 2 * step), a);
    for (int n = 0; n < Cells; ++n) {
      const T above = exec::load<T>(q + n * step);
      minus[n] = exec::max(minus[n], lowest);
      lowest = 0.5 * exec::min(a, above);
      plus[n] = exec::max(plus[n], lowest);
      a = above;
    }
  }
};

}  // namespace rednova::hydro
