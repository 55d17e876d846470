// The primitive variables of a block's update, by number.
#pragma once

#include "mesh/fields.hpp"

namespace rednova::hydro {

/// Order: density, velocity (3), pressure; pressure over density (heat); the passive values per mass: mass fractions
/// X_k (with more than one species), tau/rho and, with spin, l/rho (3); then, with spin, the excess of spin over
/// vorticity (3) that spin_feedback.hpp defines; with gravity half the weight of a cell along the direction of the
/// sweep (hydrostatic.hpp); of gas whose ratios vary those (eos/ratios.hpp); last the flags of first-order cells.
class variables {
 public:
  /// varies: as of the equation of state.
  constexpr variables(const mesh::field_numbers& f, bool spin, bool varies)
      : fractions_(f.species() > 1 ? f.species() : 0),
        spin_(spin ? 3 : 0),
        weight_(f.has_acceleration() ? 1 : 0),
        ratios_(varies ? 2 : 0) {}

  static constexpr int density = 0;
  static constexpr int velocity(int d) { return 1 + d; }
  static constexpr int pressure = 4;
  static constexpr int gas = 5;  ///< how many the Riemann solver sees

  static constexpr int p_over_rho = gas;  ///< p/rho

  constexpr int fractions() const { return fractions_; }
  constexpr int fraction(int k) const { return gas + 1 + k; }
  constexpr int tracer() const { return gas + 1 + fractions_; }
  constexpr bool has_spin() const { return spin_ > 0; }
  constexpr int spin(int d) const { return tracer() + 1 + d; }
  constexpr int excess(int d) const { return tracer() + 1 + spin_ + d; }
  constexpr bool has_weight() const { return weight_ > 0; }
  constexpr int weight() const { return tracer() + 1 + 2 * spin_; }
  constexpr int energy_over_pressure() const { return weight() + weight_; }
  constexpr int gamma1() const { return weight() + weight_ + 1; }
  constexpr int flags() const { return weight() + weight_ + ratios_; }
  constexpr int size() const { return flags() + 1; }

 private:
  int fractions_, spin_, weight_, ratios_;
};

}  // namespace rednova::hydro
