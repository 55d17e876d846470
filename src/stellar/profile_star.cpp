#include "stellar/profile_star.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "stellar/root.hpp"

namespace rednova::stellar {

namespace {

/// Densities and pressures that rise, from the surface inwards.
struct layers {
  std::vector<double> density, pressure, hydrogen;
  double mass_left_out = 0;  ///< in units of the star's
  double surface = 0;        ///< radius of the outermost layer
};

/// Of the zones whose middle is outside `inner`, from where the pressure rises clearly faster than the density on:
/// nearly isothermal gas at the surface would go on for ever.
layers layers_of(const profile& p, const core::units& units, double inner) {
  constexpr double least_exponent = 1.1;
  layers all;
  double mass = 0;  // of the layers taken
  const auto mass_of = [&](std::size_t n) { return (p.mass[n] - (n + 1 < p.zones() ? p.mass[n + 1] : 0)) / p.mass[0]; };
  for (std::size_t n = 0; n < p.zones() && p.middle(n) > inner * units.length; ++n) {
    const double rho = p.density[n] / units.density(), pressure = p.pressure[n] / units.pressure();
    const bool rises = all.density.empty() || (rho > all.density.back() && pressure > all.pressure.back());
    if (!rises) {
      all.mass_left_out += mass_of(n);
      continue;
    }
    const double compression = all.density.size() == 1 ? rho / all.density[0] : 0;
    if (all.density.size() == 1 && pressure / all.pressure[0] < std::pow(compression, least_exponent))
      all = {
          .density = {}, .pressure = {}, .hydrogen = {}, .mass_left_out = all.mass_left_out + std::exchange(mass, 0)};
    if (all.density.empty()) all.surface = p.middle(n) / units.length;
    mass += mass_of(n);
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

/// Of the outermost gas of one entropy by the softened point, beyond what any core draws together.
constexpr double largest_compression = 1e6;

struct found_star {
  std::shared_ptr<const tabulated_barotrope> gas;
  point_core core;
  barotropic_sphere sphere;
  double pressure_factor;
};

/// The core's mass puts the outermost layer where the profile has it.
found_star about_a_core(const layers& of, double mass, double softening, const char* what) {
  auto gas = std::make_shared<const tabulated_barotrope>(of.density, of.pressure);
  const auto star = [&](double core) {
    return sphere_of_mass(*gas, mass, gas->lowest_density(), of.density.back(), what, {core, softening});
  };
  const double outermost = gas->enthalpy(of.density.front());
  const auto smaller = [&](double log_core) {
    return std::log(of.surface / star(std::exp(log_core)).radius_of(outermost));
  };
  const std::optional<double> found =
      find_root_if_any(smaller, std::log(1e-3 * mass), std::log(0.99 * mass), 1e-11, 1e-10);
  if (!found)
    core::fail("{}: no mass of the core gives the star its radius of {:.6g}: change the softening, {:.6g}", what,
               of.surface, softening);
  const point_core core{std::exp(*found), softening};
  barotropic_sphere sphere = star(core.mass);
  return {std::move(gas), core, std::move(sphere), 1};
}

/// A common factor of all pressures gives the star its mass, at the profile's central density: of stars that are nearly
/// polytropes of index 3 the mass alone would say nothing about the central density.
found_star to_the_centre(const layers& of, const profile& p, const core::units& units, double mass, const char* what) {
  const double innermost = p.middle(p.zones() - 1) / units.length, rho = p.density.back() / units.density();
  const auto gas_of = [&](double log_factor) {
    std::vector<double> pressure = of.pressure;
    for (double& value : pressure) value *= std::exp(log_factor);
    return std::make_shared<const tabulated_barotrope>(of.density, std::move(pressure));
  };
  const auto star = [&](const tabulated_barotrope& gas) {
    return barotropic_sphere(gas, gas.enthalpy(rho) + 2 * core::pi / 3 * rho * innermost * innermost);
  };
  const auto heavier = [&](double log_factor) { return std::log(star(*gas_of(log_factor)).mass() / mass); };
  const std::optional<double> found = find_root_of_rising(heavier, 0, 0.1, 20, 1e-14, 1e-13);
  if (!found) core::fail("{}: the profile's densities and pressures make no star of its mass, {:.6g}", what, mass);
  auto gas = gas_of(*found);
  barotropic_sphere sphere = star(*gas);
  return {std::move(gas), {}, std::move(sphere), std::exp(*found)};
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
  constexpr double widest_centre = 0.1;  // of the radius, that the innermost zone may be
  if (core_softening == 0 && p.radius.back() > widest_centre * p.radius[0])
    core::fail("{}: the profile ends at {:.2g} of its radius: without a core it must reach the centre", what,
               p.radius.back() / p.radius[0]);
  if (core_softening > 0 && p.radius.back() > core_softening * units.length)
    core::fail("{}: the profile ends at a radius of {:.6g}, outside of the core's softening, {:.6g}: widen that", what,
               p.radius.back() / units.length, core_softening);
  layers of = layers_of(p, units, core_softening);
  constexpr std::size_t fewest = 10;
  if (of.density.size() < fewest)
    core::fail("{}: {} of the profile's zones have densities and pressures that rise inwards{}: too few", what,
               of.density.size(), core_softening > 0 ? " outside the core" : "");
  if (core_softening > 0) {
    const double outside = of.density.back(), hydrogen = of.hydrogen.empty() ? 0 : of.hydrogen.back();
    add_adiabat(of, *adiabat(outside, of.pressure.back(), hydrogen), largest_compression * outside);
  }
  found_star f =
      core_softening > 0 ? about_a_core(of, mass, core_softening, what) : to_the_centre(of, p, units, mass, what);
  const double outermost = f.gas->enthalpy(of.density.front());
  const double surface = f.sphere.radius_of(outermost);
  const double within = f.sphere.mass_within(core_softening);
  return {.gas = std::move(f.gas),
          .core = f.core,
          .sphere = std::move(f.sphere),
          .density = std::move(of.density),
          .hydrogen = std::move(of.hydrogen),
          .surface = surface,
          .surface_asked = of.surface,
          .within_core = within,
          .within_core_asked = p.mass_within(core_softening * units.length) / units.mass,
          .pressure_factor = f.pressure_factor,
          .mass_left_out = of.mass_left_out};
}

}  // namespace rednova::stellar
