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

}  // namespace rednova::eos
