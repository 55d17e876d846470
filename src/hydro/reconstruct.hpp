// Values at the two edges of each cell of a pencil, from cell averages: constant, linear, parabolic.
//
// Each scheme is a struct with one function edges<T>(q, step, minus, plus). q points to the lanes of cell 0,
// cell n lies n * step further; cells -3 … N+2 are there. The value at the lower and upper edge of cell
// n = -1 … N goes to minus[n + 1] and plus[n + 1]. Everything is symmetric under reversal, bit by bit.
// edges<T, Cells> does the same for cells -1 … Cells-2 alone: with two cells, those beside one face.
//
// A second function, upwind<T, Faces>(q, step, flux, value), takes of each face f, which is below cell f, the edge of
// the cell that the flux comes from alone, to the same bits: of cell f-1 where flux[f] > 0, else of cell f.
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

  /// The average of the cell that the flux through face f comes from.
  template <class T>
  REDNOVA_FN static T upwind_average(const double* q, std::ptrdiff_t step, int f, const T& flux) {
    return exec::select(flux > 0.0, exec::load<T>(q + (f - 1) * step), exec::load<T>(q + f * step));
  }
  template <class T, int Faces = pencil_faces>
  REDNOVA_LARGE_FN static void upwind(const double* q, std::ptrdiff_t step, const T* flux, T* value) {
    for (int f = 0; f < Faces; ++f) value[f] = upwind_average(q, step, f, flux[f]);
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

  template <class T, int Faces = pencil_faces>
  REDNOVA_LARGE_FN static void upwind(const double* q, std::ptrdiff_t step, const T* flux, T* value) {
    T below = exec::load<T>(q - step), a = exec::load<T>(q);
    T down = a - below;
    T plus_below = below + 0.5 * monotonised_slope(T(below - exec::load<T>(q - 2 * step)), down);
    for (int f = 0; f < Faces; ++f) {
      const T next = exec::load<T>(q + (f + 1) * step);
      const T up = next - a;
      const T half = 0.5 * monotonised_slope(down, up);
      value[f] = exec::select(flux[f] > 0.0, plus_below, T(a - half));
      plus_below = a + half;
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

  template <class T, int Faces = pencil_faces>
  REDNOVA_LARGE_FN static void upwind(const double* q, std::ptrdiff_t step, const T* flux, T* value) {
    T a = exec::load<T>(q - 2 * step), b = exec::load<T>(q - step), c = exec::load<T>(q), d = exec::load<T>(q + step);
    T up = d - c;
    const T up_b = b - a, up_c = c - b;
    const T slope_a = monotonised_slope(T(a - exec::load<T>(q - 3 * step)), up_b);
    const T slope_b = monotonised_slope(up_b, up_c);
    T slope = monotonised_slope(up_c, up);
    T lower = face_value(a, slope_a, b, slope_b), here = face_value(b, slope_b, c, slope);
    for (int f = 0; f < Faces; ++f) {
      // Here b and c are the averages of the two cells at the face, d that of the next one.
      const T e = exec::load<T>(q + (f + 2) * step);
      const T next_up = e - d;
      const T next_slope = monotonised_slope(up, next_up);
      const T upper = face_value(c, slope, d, next_slope);
      // The face's value and that of the cell's other face, as monotonise takes them.
      const auto from_below = flux[f] > 0.0;
      const T average = exec::select(from_below, b, c), down = average - exec::select(from_below, lower, upper);
      value[f] = average + minmod(T(here - average), T(down + down));
      b = c;
      c = d;
      d = e;
      up = next_up;
      slope = next_slope;
      lower = here;
      here = upper;
    }
  }
};

}  // namespace rednova::hydro
