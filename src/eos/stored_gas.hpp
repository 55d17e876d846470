// Gas whose pressure is expensive, or whose sound takes more than its own state to know: found once in each cell and
// kept beside the fields.
#pragma once

#include "eos/ratios.hpp"

namespace rednova::eos {

/// What the update asks of such a gas: pressure and ratios are fields of the state (mesh::field_numbers::has_gas).
struct stored_gas : varying_gas {
  double largest_gruneisen;

  static constexpr bool stored = true;
  /// The largest (dp/de) at constant rho.
  REDNOVA_FN double gruneisen_max() const { return largest_gruneisen; }
  /// The least tracer: how much heat has which depends on the density.
  REDNOVA_FN static double tracer_of_heat(double) { return 0; }
};

}  // namespace rednova::eos
