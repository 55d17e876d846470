// Whether the flow follows the books: the angular momentum that the momenta hold, without the cells' spin.
#pragma once

#include <algorithm>
#include <cmath>

#include "diagnose/angular_momentum_law.hpp"
#include "step/ledger.hpp"

namespace rednova::diagnose {

/// The drift of the flow's angular momentum sum V x × s since the start, in the inertial frame.
///
/// The ledger keeps J = sum V (x × s + l) to rounding, but it cannot tell whether the momenta follow or the spin l
/// takes what they gain or lose. amount = grid - initial + outflow - floors - regrid of the flow's part alone, where
/// x_f × F_s is what left through a face. What adapting the mesh moves between the flow and the spin of the cells,
/// whose size it changes, is the mesh's and not the flow's: it stands under regrid. Without hydro.spin nothing keeps
/// what it takes, and it counts.
struct flow_drift {
  core::vec3d amount;
  double scale = 0;           ///< what it is a share of; 0: nothing turns or moves
  bool of_magnitude = false;  ///< the scale is the sum of absolute values: there was no angular momentum at the start
  core::vec3d share;          ///< amount / scale; 0 where the scale is

  /// The scale is |J| at the start. Where that is below a thousandth of the present sum of absolute values of the terms
  /// of J (the largest component's), it says nothing about the flow, and that sum is the scale.
  static flow_drift of(const step::ledger& books, const angular_momentum_law& law) {
    constexpr double none = 1e-3;
    const core::vec3d &start = books.initial.angular_momentum, &terms = books.magnitude.angular_momentum;
    const double initial = std::sqrt(dot(start, start)), magnitude = std::max({terms.x, terms.y, terms.z});
    flow_drift d;
    d.amount = books.remainder().flow();
    if (!law.loss.empty()) d.amount += books.regrid.flow();
    d.of_magnitude = initial <= none * magnitude;
    d.scale = d.of_magnitude ? magnitude : initial;
    if (d.scale > 0) d.share = (1 / d.scale) * d.amount;
    return d;
  }
};

}  // namespace rednova::diagnose
