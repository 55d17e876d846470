// Whether the flow follows the ledger: the angular momentum of the momenta alone, without the cells' spin.
#pragma once

#include <algorithm>
#include <cmath>

#include "diagnose/angular_momentum_law.hpp"
#include "step/ledger.hpp"

namespace rednova::diagnose {

/// The drift of the flow's angular momentum sum V x × s since the start, in the inertial frame.
///
/// J = sum V (x × s + l) is kept to rounding, but the momenta may drift while the spin l takes up the difference.
/// amount = grid - initial + outflow - floors - regrid of the flow's part alone, of which x_f × F_s leaves through a
/// face. What adapting the mesh moves between the flow and the cells' spin follows from the cells' new size; it is
/// booked under regrid and is no drift. Without hydro.spin the next step drops the spin of the new cells, and it
/// counts.
struct flow_drift {
  core::vec3d amount;
  double scale = 0;           ///< what `share` is relative to; 0: nothing turns or moves
  bool of_magnitude = false;  ///< the scale is the sum of absolute values: there was hardly any |J| at the start
  core::vec3d share;          ///< amount / scale; 0 where the scale is

  /// The scale is |J| at the start or, where that is at most a thousandth of it, the present sum of absolute values of
  /// the terms of J (the largest component's).
  static flow_drift of(const step::ledger& ledger, const angular_momentum_law& law) {
    constexpr double none = 1e-3;
    const core::vec3d &start = ledger.initial.angular_momentum, &terms = ledger.magnitude.angular_momentum;
    const double initial = std::sqrt(dot(start, start)), magnitude = std::max({terms.x, terms.y, terms.z});
    flow_drift d;
    d.amount = ledger.remainder().flow();
    if (!law.loss.empty()) d.amount += ledger.regrid.flow();
    d.of_magnitude = initial <= none * magnitude;
    d.scale = d.of_magnitude ? magnitude : initial;
    if (d.scale > 0) d.share = (1 / d.scale) * d.amount;
    return d;
  }
};

}  // namespace rednova::diagnose
