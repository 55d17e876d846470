// What follows from pressure and density at a face, where an equation of state would have to be inverted.
#pragma once

#include "exec/simd.hpp"

namespace rednova::eos {

/// Of a gas whose ratios are the same numbers everywhere.
struct constant_ratios {};

/// Of all others: found once in each cell and carried to its faces (Colella & Glaz 1985, JCP 59, 264, carry
/// gamma_e = 1 + p/e).
template <class T>
struct cell_ratios {
  T energy_over_pressure;  ///< e/p
  T gamma1;                ///< Gamma1 = rho c²/p
};

/// Lane by lane a where the condition holds, else b.
template <class Mask>
REDNOVA_FN constant_ratios select(const Mask&, const constant_ratios&, const constant_ratios&) {
  return {};
}
template <class Mask, class T>
REDNOVA_FN cell_ratios<T> select(const Mask& condition, const cell_ratios<T>& a, const cell_ratios<T>& b) {
  return {exec::select(condition, a.energy_over_pressure, b.energy_over_pressure),
          exec::select(condition, a.gamma1, b.gamma1)};
}

/// Energy and sound speed by the ratios of the place.
struct varying_gas {
  static constexpr bool varies = true;
  static constexpr bool stored = false;
  template <class T>
  using ratios = cell_ratios<T>;

  /// Internal energy per volume.
  template <class T>
  REDNOVA_FN static T internal_energy(const T& p, const cell_ratios<T>& r) {
    return p * r.energy_over_pressure;
  }
  template <class T>
  REDNOVA_FN static T sound_speed_squared(const T& rho, const T& p, const cell_ratios<T>& r) {
    return r.gamma1 * p / rho;
  }
  /// The same from the volume per mass, for who has it at hand.
  template <class T>
  REDNOVA_FN static T sound_speed_squared_of_volume(const T& volume, const T& p, const cell_ratios<T>& r) {
    return r.gamma1 * p * volume;
  }
};

}  // namespace rednova::eos
