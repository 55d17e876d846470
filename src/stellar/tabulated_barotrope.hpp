// Gas whose pressure is known at some densities.
#pragma once

#include <vector>

#include "stellar/barotrope.hpp"

namespace rednova::stellar {

/// Power laws p ∝ rho^g between the given points, whose enthalpy is exact: Delta H = g/(g - 1) Delta(p/rho), so that
/// dp = rho dH to rounding. Outside, the laws of the first and last interval go on; the first one gives H its zero at
/// zero density.
class tabulated_barotrope final : public barotrope {
 public:
  /// Code units, from the surface inwards, at least two of each; both rise strictly, and the first two pressures faster
  /// than the densities. Contract.
  tabulated_barotrope(std::vector<double> density, std::vector<double> pressure);

  double density(double enthalpy) const override;
  double pressure_of(double density) const override;
  double enthalpy(double density) const override;

  double lowest_density() const { return density_.front(); }
  double highest_density() const { return density_.back(); }

 private:
  /// What holds from a point on to the next.
  struct law {
    double exponent;     ///< g
    double temperature;  ///< p/rho at the point
    double enthalpy;     ///< there
  };
  std::size_t interval(double density) const;

  std::vector<double> density_;
  std::vector<law> laws_;  // the last point has the law before it
};

}  // namespace rednova::stellar
