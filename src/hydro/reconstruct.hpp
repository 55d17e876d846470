// Values at the two edges of each cell of a pencil, from cell averages: constant, linear, parabolic.
//
// Each scheme is a struct with one function edges<T>(q, step, minus, plus). q points to the lanes of cell 0,
// cell n lies n * step further; cells -3 … N+2 are there. The value at the lower and upper edge of cell
// n = -1 … N goes to minus[n + 1] and plus[n + 1]. Everything is symmetric under reversal, bit by bit.
// edges<T, Cells> does the same for cells -1 … Cells-2 alone: with two cells, those beside one face.
#pragma once

#include <cstddef>

#include "exec/simd.hpp"
#include "hydro/limiter.hpp"
#include "mesh/block.hpp"

namespace rednova::hydro {

inline constexpr int pencil_cells = mesh::N + 2;  ///< cells whose edges touch a face of the pencil
inline constexpr int pencil_faces = mesh::N + 1;

/// First order.
struct reconstruct_constant {
  template <class T, int Cells = pencil_cells>
  REDNOVA_LARGE_FN static void edges(const double* q, std::ptrdiff_t step, T* minus, T* plus) {
    for (int n = 0; n < Cells; ++n) minus[n] = plus[n] = exec::load<T>(q + (n - 1) * step);
  }
};

/// Second order: monotonised central slope.
struct reconstruct_plm {
  template <class T, int Cells = pencil_cells>
  REDNOVA_LARGE_FN static void edges(const double* q, std::ptrdiff_t step, T* minus, T* plus) {
    T a = exec::load<T>(q - step);
    T down = a - exec::load<T>(q - 2 * step);
    for (int n = 0; n < Cells; ++n) {
      const T next = exec::load<T>(q + n * step);
      const T up = next - a;
      const T half = 0.5 * monotonised_slope(down, up);
      minus[n] = a - half;
      plus[n] = a + half;
      a = next;
      down = up;
    }
  }
};

/// The parabola's edges after Colella & Woodward (1984, JCP 54, 174), eq. 1.10, and the building blocks. No edge leaves
/// the range of the averages of its two cells: what mass fractions need.
struct reconstruct_ppm {
  /// a at the face between two cells with averages a, b and slopes (eq. 1.6).
  template <class T>
  REDNOVA_FN static T face_value(const T& a, const T& slope_a, const T& b, const T& slope_b) {
    return 0.5 * (a + b) + (1.0 / 6.0) * (slope_a - slope_b);
  }
  /// Makes the parabola through the edges monotone: with d- = a - a_L and d+ = a_R - a, eq. 1.10 reads
  /// d± → minmod(d±, 2 d∓).
  template <class T>
  REDNOVA_FN static void monotonise(const T& a, const T& lower, const T& upper, T& minus, T& plus) {
    const T down = a - lower, up = upper - a;
    minus = a - minmod(down, T(up + up));
    plus = a + minmod(up, T(down + down));
  }

  template <class T, int Cells = pencil_cells>
  REDNOVA_LARGE_FN static void edges(const double* q, std::ptrdiff_t step, T* minus, T* plus) {
    T a = exec::load<T>(q - 2 * step), b = exec::load<T>(q - step), c = exec::load<T>(q);
    T up = b - a;
    const T slope_a = monotonised_slope(T(a - exec::load<T>(q - 3 * step)), up);
    T next_up = c - b;
    T slope = monotonised_slope(up, next_up);
    T lower = face_value(a, slope_a, b, slope);
    for (int n = 0; n < Cells; ++n) {
      // Here b is the average of the cell, c that of the next one.
      const T d = exec::load<T>(q + (n + 1) * step);
      up = d - c;
      const T next_slope = monotonised_slope(next_up, up);
      const T upper = face_value(b, slope, c, next_slope);
      monotonise(b, lower, upper, minus[n], plus[n]);
      b = c;
      c = d;
      next_up = up;
      slope = next_slope;
      lower = upper;
    }
  }
};

}  // namespace rednova::hydro
