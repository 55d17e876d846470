// Gas whose pressure is expensive, or whose sound takes more than its own state to know: found once in each cell and
// kept beside the fields.
#pragma once

#include "eos/ratios.hpp"

namespace rednova::eos {

/// What the update asks of such a gas: pressure and ratios are fields of the state (mesh::field_numbers::has_gas), and
/// energy and sound speed follow from the ratios of the place.
struct stored_gas {
  double largest_gruneisen;

  static constexpr bool varies = true;
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
  /// The largest (dp/de) at constant rho.
  REDNOVA_FN double gruneisen_max() const { return largest_gruneisen; }
};

}  // namespace rednova::eos
