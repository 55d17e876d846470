// The gas around two stars.
#pragma once

#include <algorithm>
#include <cmath>

namespace rednova::problem {

/// A polytrope of infinite extent in the stars' field; see binary.
struct atmosphere {
  double omega2, wall;           ///< radius of the cylinder that turns
  double density, depth, index;  ///< rho = density (H / depth)^index

  double enthalpy(double potential, double axis_distance) const {
    const double turning = std::max(wall * wall - axis_distance * axis_distance, 0.0);
    return std::max(-potential - 0.5 * omega2 * turning, -0.1 * potential);
  }
  double density_at(double of_enthalpy) const { return density * std::pow(of_enthalpy / depth, index); }
};

}  // namespace rednova::problem
