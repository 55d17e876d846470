// The gravity of a point mass that is softened by a spline: a mass that fills a sphere with the cubic spline kernel.
#pragma once

#include "exec/simd.hpp"

namespace rednova::gravity {

/// Field of a unit mass, G = 1, whose density is the cubic spline kernel of radius H (Monaghan & Lattanzio 1985, A&A
/// 149, 135), as functions of u = r/H (Springel, Yoshida & White 2001, NewA 6, 79, eq. 71). From r = H on it is that of
/// a point.
template <class T>
struct softened_field {
  T potential;  ///< over 1/H: -14/5 at the centre, -1/u from u = 1 on
  T pull;       ///< acceleration towards the point over r/H³: 32/3 at the centre, 1/u³ from u = 1 on
};

/// u: r/H, at least 0.
template <class T>
REDNOVA_FN softened_field<T> softened_at(const T& u) {
  const T u2 = u * u;
  const T inner = u2 * (T(16.0 / 3) + u2 * (T(-48.0 / 5) + T(32.0 / 5) * u)) - T(14.0 / 5);
  const T inner_pull = T(32.0 / 3) + u2 * (T(-192.0 / 5) + T(32.0) * u);
  // No division by zero where the inner branch is taken.
  const T one_over_u = T(1.0) / exec::max(u, T(0.25));
  const T outer = u2 * (T(32.0 / 3) + u * (T(-16.0) + u * (T(48.0 / 5) - T(32.0 / 15) * u))) +
                  T(1.0 / 15) * one_over_u - T(16.0 / 5);
  const T outer_pull = T(64.0 / 3) + u * (T(-48.0) + u * (T(192.0 / 5) - T(32.0 / 3) * u)) -
                       T(1.0 / 15) * one_over_u * one_over_u * one_over_u;
  const T far_pull = one_over_u * one_over_u * one_over_u;
  const auto is_inner = u < T(0.5);
  const auto is_far = !(u < T(1.0));
  return {exec::select(is_inner, inner, exec::select(is_far, T(-1.0) * one_over_u, outer)),
          exec::select(is_inner, inner_pull, exec::select(is_far, far_pull, outer_pull))};
}

/// Share of the mass within u H, u = r/H: with it a sphere's hydrostatic equilibrium about such a point is integrated.
inline double softened_mass_within(double u) { return softened_at(u).pull * u * u * u; }

}  // namespace rednova::gravity
