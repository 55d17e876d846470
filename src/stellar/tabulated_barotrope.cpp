#include "stellar/tabulated_barotrope.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.hpp"

namespace rednova::stellar {

namespace {

/// (x^(g-1) - 1) / (g - 1), also where g is near one.
double power_integral(double log_x, double g) {
  const double d = (g - 1) * log_x;
  return log_x * (std::fabs(d) < 1e-8 ? 1 + d / 2 : std::expm1(d) / d);
}

}  // namespace

tabulated_barotrope::tabulated_barotrope(std::vector<double> density, std::vector<double> pressure)
    : density_(std::move(density)) {
  EXPECT(density_.size() >= 2 && pressure.size() == density_.size());
  for (std::size_t i = 0; i + 1 < density_.size(); ++i) {
    EXPECT(density_[i] > 0 && density_[i] < density_[i + 1] && pressure[i] > 0 && pressure[i] < pressure[i + 1]);
    const double log_x = std::log(density_[i + 1] / density_[i]), g = std::log(pressure[i + 1] / pressure[i]) / log_x;
    if (laws_.empty()) {
      EXPECT(g > 1);
      laws_.push_back({g, pressure[0] / density_[0], g / (g - 1) * pressure[0] / density_[0]});
    }
    laws_.back().exponent = g;
    laws_.push_back({g, pressure[i + 1] / density_[i + 1],
                     laws_.back().enthalpy + g * laws_.back().temperature * power_integral(log_x, g)});
  }
}

std::size_t tabulated_barotrope::interval(double density) const {
  const auto above = std::upper_bound(density_.begin() + 1, density_.end(), density);
  return static_cast<std::size_t>(above - density_.begin()) - 1;
}

double tabulated_barotrope::density(double enthalpy) const {
  if (!(enthalpy > 0)) return 0;
  const auto above =
      std::upper_bound(laws_.begin() + 1, laws_.end(), enthalpy, [](double h, const law& l) { return h < l.enthalpy; });
  const std::size_t i = static_cast<std::size_t>(above - laws_.begin()) - 1;
  const law& l = laws_[i];
  const double rise = (enthalpy - l.enthalpy) / (l.exponent * l.temperature), d = (l.exponent - 1) * rise;
  // x of power_integral(x) = rise.
  return density_[i] * std::exp(rise * (std::fabs(d) < 1e-8 ? 1 - d / 2 : std::log1p(d) / d));
}

double tabulated_barotrope::pressure_of(double density) const {
  if (!(density > 0)) return 0;
  const std::size_t i = interval(density);
  return laws_[i].temperature * density_[i] * std::pow(density / density_[i], laws_[i].exponent);
}

double tabulated_barotrope::enthalpy(double density) const {
  if (!(density > 0)) return 0;
  const std::size_t i = interval(density);
  const law& l = laws_[i];
  return l.enthalpy + l.exponent * l.temperature * power_integral(std::log(density / density_[i]), l.exponent);
}

}  // namespace rednova::stellar
