// The closure of the two moments: pressure tensor and signal speeds from energy density and flux, after Levermore
// (1984, J. Quant. Spectrosc. Radiat. Transfer 31, 149).
#pragma once

#include "core/vec3.hpp"
#include "exec/simd.hpp"

namespace rednova::radiation {

/// Light in a cell or at a face, as a fixed observer sees it.
template <class T>
struct light {
  T energy;            ///< E, energy by volume
  core::vec3<T> flux;  ///< F, energy by area and time
};

/// What is divided by is at least this: above the roots of the smallest squares, or vectors whose length rounds to zero
/// would become long ones.
inline constexpr double least_divisor = 1e-140;

/// The Eddington factor chi of the reduced flux f = |F|/(cE), 0 to 1: the share of E that is pressure along F.
template <class T>
REDNOVA_FN T eddington_factor(const T& f) {
  const T ff = f * f;
  return (3.0 + 4.0 * ff) / (5.0 + 2.0 * exec::sqrt(T(4.0 - 3.0 * ff)));
}

/// The length of a vector.
template <class T>
REDNOVA_FN T length_of(const core::vec3<T>& a) {
  return exec::sqrt(T(dot(a, a)));
}

/// What the state at one side of a face with its normal along `direction` sends through it.
template <class T>
struct face_side {
  T energy;
  core::vec3<T> reduced_flux;  ///< F/(cE), of length 1 at most
  core::vec3<T> pressure;      ///< the tensor's row of the normal, P·n
  T slowest, fastest;          ///< the outer signal speeds along the normal, over c
};

/// Of energy density and reduced flux f; where |f| > 1, as reconstruction may leave it, f is shortened to 1.
///
/// Speeds: the outer eigenvalues of the system, Skinner & Ostriker (2013, ApJS 206, 21), eq. 41:
/// (mu f ± sqrt(2/3 (s² - s) + 2 mu² (2 - f² - s)))/s, s² = 4 - 3 f², mu the cosine to the normal.
template <class T>
REDNOVA_FN face_side<T> side_of(const T& energy, const core::vec3<T>& reduced, int direction) {
  const T raw = length_of(reduced), per_raw = 1.0 / exec::max(raw, T(1e-30));
  const T n = exec::min(raw, T(1.0)), per_length = exec::max(per_raw, T(1.0)), nn = n * n;
  const core::vec3<T> f = exec::min(per_raw, T(1.0)) * reduced;
  const T s = exec::sqrt(T(4.0 - 3.0 * nn));
  // The Eddington factor (3 + 4 n²)/(5 + 2 s) and 1/s by one division.
  const T both = 1.0 / ((5.0 + 2.0 * s) * s), per_s = both * (5.0 + 2.0 * s), chi = (3.0 + 4.0 * nn) * (both * s);
  const T mu = f[direction] * per_length;
  face_side<T> r{energy, f, {}, {}, {}};
  const T along = energy * (1.5 * chi - 0.5) * mu * per_length;
  r.pressure = along * f;
  r.pressure[direction] = r.pressure[direction] + 0.5 * (1.0 - chi) * energy;
  const T spread = exec::sqrt(exec::max(T((2.0 / 3.0) * (s * s - s) + 2.0 * mu * mu * (2.0 - nn - s)), T(0.0)));
  r.slowest = (mu * n - spread) * per_s;
  r.fastest = (mu * n + spread) * per_s;
  return r;
}

}  // namespace rednova::radiation
