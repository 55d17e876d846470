#include "stellar/profile_star.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "stellar/root.hpp"

namespace rednova::stellar {

namespace {

/// Densities and pressures that rise, from the surface inwards.
struct layers {
  std::vector<double> density, pressure, hydrogen;
  double mass_left_out = 0;  ///< in units of the star's
};

/// Of the zones whose middle is outside `inner`. The outermost ones count from where the pressure rises faster than the
/// density, as it does in all gas that is not heated from outside.
layers layers_of(const profile& p, const core::units& units, double inner) {
  layers all;
  for (std::size_t n = 0; n < p.zones() && p.middle(n) > inner * units.length; ++n) {
    const double rho = p.density[n] / units.density(), pressure = p.pressure[n] / units.pressure();
    const bool rises = all.density.empty() || (rho > all.density.back() && pressure > all.pressure.back());
    if (rises && all.density.size() == 1 && pressure / all.pressure[0] <= rho / all.density[0]) all = {};
    if (!rises) {
      all.mass_left_out += (p.mass[n] - (n + 1 < p.zones() ? p.mass[n + 1] : 0)) / p.mass[0];
      continue;
    }
    all.density.push_back(rho);
    all.pressure.push_back(pressure);
    if (!p.hydrogen.empty()) all.hydrogen.push_back(p.hydrogen[n]);
  }
  return all;
}

/// Goes on from the last layer with gas of one entropy.
void add_adiabat(layers& outside, const barotrope& gas, double largest_density) {
  constexpr double step_of_log_density = 0.02;
  const double start = outside.density.back(), scale = outside.pressure.back() / gas.pressure_of(start);
  const int steps = static_cast<int>(std::log(largest_density / start) / step_of_log_density);
  for (int n = 1; n <= steps; ++n) {
    const double rho = start * std::exp(n * step_of_log_density);
    outside.density.push_back(rho);
    outside.pressure.push_back(scale * gas.pressure_of(rho));
    if (!outside.hydrogen.empty()) outside.hydrogen.push_back(outside.hydrogen.back());
  }
}

}  // namespace

double profile_star::hydrogen_at(double rho) const {
  if (hydrogen.empty()) return 0;
  const auto above = std::upper_bound(density.begin(), density.end(), rho);
  if (above == density.begin()) return hydrogen.front();
  if (above == density.end()) return hydrogen.back();
  const auto n = static_cast<std::size_t>(above - density.begin());
  const double t = std::log(rho / density[n - 1]) / std::log(density[n] / density[n - 1]);
  return (1 - t) * hydrogen[n - 1] + t * hydrogen[n];
}

profile_star star_of_profile(const profile& p, const core::units& units, double core_softening,
                             const adiabat_through& adiabat, const char* what) {
  const double mass = p.mass[0] / units.mass, radius = p.radius[0] / units.length;
  if (core_softening >= radius)
    core::fail("{}: the softening of the core, {:.6g}, must be less than the star's radius, {:.6g}", what,
               core_softening, radius);
  layers of = layers_of(p, units, core_softening);
  constexpr std::size_t fewest = 10;
  if (of.density.size() < fewest)
    core::fail("{}: {} of the profile's zones have densities and pressures that rise inwards{}: too few", what,
               of.density.size(), core_softening > 0 ? " outside the core" : "");
  double largest = 2 * of.density.back();
  if (core_softening > 0) {
    const double hydrogen = of.hydrogen.empty() ? 0 : of.hydrogen.back();
    largest = 1e6 * of.density.back();
    add_adiabat(of, *adiabat(of.density.back(), of.pressure.back(), hydrogen), largest);
  }
  const auto gas = std::make_shared<const tabulated_barotrope>(of.density, of.pressure);
  const auto star = [&](const point_core& core) {
    return sphere_of_mass(*gas, mass, gas->lowest_density(), largest, what, core);
  };
  point_core core{.mass = 0, .softening = core_softening > 0 ? core_softening : 1};
  if (core_softening > 0) {
    const auto smaller = [&](double log_core) {
      return std::log(radius / star({std::exp(log_core), core_softening}).radius());
    };
    const std::optional<double> found =
        find_root_if_any(smaller, std::log(1e-3 * mass), std::log(0.99 * mass), 1e-11, 1e-10);
    if (!found)
      core::fail("{}: no mass of the core gives the star its radius of {:.6g}: change the softening, {:.6g}", what,
                 radius, core_softening);
    core.mass = std::exp(*found);
  }
  return {gas, core, star(core), std::move(of.density), std::move(of.hydrogen), radius, of.mass_left_out};
}

}  // namespace rednova::stellar
