// Parabolic edges of the density with steeper contact discontinuities (Colella & Woodward 1984, eq. 1.14-1.17, 3.2).
#pragma once

#include "exec/simd.hpp"
#include "hydro/reconstruct.hpp"

namespace rednova::hydro {

/// Steepens edges of the density, given the pressure of the same pencil.
///
/// Where the third derivative says discontinuity (eta > 0) and the jump of pressure is too small for a shock
/// (gamma K0 |d rho|/rho >= |d p|/p, K0 = 0.1), the parabola's edges, moved to those that the neighbours see, take the
/// place of the given ones. All others stay.
struct contact_steepening {
  /// gamma_of: Gamma1 of a cell, by its number.
  template <class T, int Cells = pencil_cells, class Gamma>
  REDNOVA_LARGE_FN static void edges(const double* rho, const double* p, std::ptrdiff_t step, const Gamma& gamma_of,
                                     T* minus, T* plus) {
    const auto at = [&](int n) { return exec::load<T>(rho + n * step); };
    const auto slope = [&](int n) { return monotonised_slope(T(at(n) - at(n - 1)), T(at(n + 1) - at(n))); };
    const auto face = [&](int n) { return reconstruct_ppm::face_value(at(n), slope(n), at(n + 1), slope(n + 1)); };
    for (int n = -1; n < Cells - 1; ++n) {
      const T a = at(n), down = at(n - 1), up = at(n + 1);
      const T pa = exec::load<T>(p + (n - 1) * step), pb = exec::load<T>(p + (n + 1) * step);
      const T share = steepness(at(n - 2), down, a, up, at(n + 2), pa, pb, gamma_of(n));
      const T lower = face(n - 1) * (1.0 - share) + (down + 0.5 * slope(n - 1)) * share;
      const T upper = face(n) * (1.0 - share) + (up - 0.5 * slope(n + 1)) * share;
      T steep_minus, steep_plus;
      reconstruct_ppm::monotonise(a, lower, upper, steep_minus, steep_plus);
      const T taken = exec::select(share > 0.0, T(1.0), T(0.0));
      minus[n + 1] = minus[n + 1] * (1.0 - taken) + steep_minus * taken;
      plus[n + 1] = plus[n + 1] * (1.0 - taken) + steep_plus * taken;
    }
  }

  /// eta of eq. 1.16 with eta1 = 20, eta2 = 0.05, epsilon = 0.01, and 0 where eq. 3.2 says it is no contact.
  template <class T, class Gamma>
  REDNOVA_FN static T steepness(const T& a2, const T& a1, const T& a, const T& b1, const T& b2, const T& pa,
                                const T& pb, const Gamma& gamma) {
    const T curve_down = (a2 + a) - 2.0 * a1, curve_up = (b2 + a) - 2.0 * b1;
    const T jump = b1 - a1;
    const auto contact = (curve_down * curve_up < 0.0) &&
                         (exec::abs(jump) > 0.01 * exec::min(exec::abs(a1), exec::abs(b1))) &&
                         (gamma * 0.1 * exec::abs(jump) * exec::min(pa, pb) >= exec::abs(pb - pa) * exec::min(a1, b1));
    const T eta = (curve_down - curve_up) / (6.0 * exec::select(contact, jump, T(1.0)));
    const T share = exec::min(exec::max(20.0 * (eta - 0.05), T(0.0)), T(1.0));
    return exec::select(contact, share, T(0.0));
  }
};

}  // namespace rednova::hydro
