// How large what is left over in the ledger is.
#pragma once

#include <algorithm>
#include <cmath>

#include "step/ledger.hpp"

namespace rednova::diagnose {

/// |remainder| over the sum of absolute values on the grid, of each conserved quantity. A vector's components share
/// the largest component's sum, and a species that has left the grid takes the whole mass, so that rounding about
/// nothing counts as nothing.
inline step::totals relative_remainder(const step::ledger& ledger) {
  const auto ratio = [](double x, double scale) { return scale > 0 ? std::abs(x) / scale : 0.0; };
  const auto vector = [&](const core::vec3d& x, const core::vec3d& scale) {
    const double largest = std::max({scale.x, scale.y, scale.z});
    return core::vec3d{ratio(x.x, largest), ratio(x.y, largest), ratio(x.z, largest)};
  };
  step::totals left = ledger.remainder();
  const step::totals& scale = ledger.magnitude;
  for (std::size_t k = 0; k < left.species.size(); ++k) {
    const double own = k < scale.species.size() ? scale.species[k] : 0.0;
    left.species[k] = ratio(left.species[k], own > 0 ? own : scale.mass());
  }
  left.momentum = vector(left.momentum, scale.momentum);
  left.angular_momentum = vector(left.angular_momentum, scale.angular_momentum);
  left.energy = ratio(left.energy, scale.energy);
  left.spin = {};  // has no law of its own: diagnose/flow_drift.hpp
  return left;
}

/// The same for the whole mass.
inline double relative_mass_remainder(const step::ledger& ledger) {
  const double scale = ledger.magnitude.mass();
  return scale > 0 ? std::abs(ledger.remainder().mass()) / scale : 0.0;
}

}  // namespace rednova::diagnose
