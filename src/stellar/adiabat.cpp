#include "stellar/adiabat.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "stellar/root.hpp"

namespace rednova::stellar {

namespace {

constexpr double step_of_log_density = 0.01;

/// Central densities between which the mass rises to what is asked, at about the radius that is asked. Gas that
/// ionization softens may make several stars of a mass: these are of the densest one.
struct bracket {
  std::optional<density_range> densities;
  bool too_light = false;  ///< all stars of this gas are; else where there are no densities all are too heavy
};
bracket densest(const tabulated_barotrope& gas, const star_asked& asked) {
  const auto [least, largest] = central_densities(asked);
  const double lowest = std::max(least, gas.lowest_density());
  const auto heavier = [&](double rho) {
    return barotropic_sphere(gas, gas.enthalpy(rho), asked.core).mass() > asked.mass;
  };
  double high = std::min(largest, gas.highest_density());
  if (!heavier(high)) return {.densities = std::nullopt, .too_light = true};
  while (high > lowest) {
    const double low = std::max(high / 2, lowest);
    if (!heavier(low)) return {density_range{low, high}};
    high = low;
  }
  return {};
}

/// The entropy at the centre of the polytrope of index 1.5 with this mass and radius.
double entropy_of_polytrope(const eos::stellar& gas, double hydrogen, double mass, double radius) {
  constexpr double concentration = 5.991, pressure_constant = 0.770;  // Chandrasekhar 1939, table 4
  const double r3 = radius * radius * radius, rho = concentration * mass / (4 * core::pi / 3 * r3);
  const double e = gas.energy_from_pressure(rho, pressure_constant * mass * mass / (r3 * radius), hydrogen);
  return gas.entropy(rho, e, hydrogen);
}

}  // namespace

std::shared_ptr<const tabulated_barotrope> adiabat(const eos::stellar& gas, double hydrogen, double entropy) {
  std::vector<double> density, pressure;
  constexpr double share = 1e-8;  // of the entropy, by which the table's inverse may miss it
  const double begin = std::log(gas.lowest_density), end = std::log(gas.highest_density);
  for (double log_rho = begin; log_rho <= end; log_rho += step_of_log_density) {
    const double rho = std::exp(log_rho), e = gas.energy_from_entropy(rho, entropy, hydrogen);
    if (std::fabs(gas.entropy(rho, e, hydrogen) - entropy) > share * std::fabs(entropy)) {
      if (density.empty()) continue;  // colder than the table
      break;
    }
    const double p = gas.pressure_gamma1(rho, e, hydrogen).pressure;
    if (!pressure.empty() && p <= pressure.back())
      core::fail("gas of {:.4g} k/m_u per mass has no rising pressure at {:.3g} g/cm^3", entropy,
                 rho * gas.density_unit);
    density.push_back(rho);
    pressure.push_back(p);
  }
  if (density.size() < 2) core::fail("there is no gas of {:.4g} k/m_u per mass in the table", entropy);
  return std::make_shared<const tabulated_barotrope>(std::move(density), std::move(pressure));
}

adiabatic_star adiabatic_star_of(const eos::stellar& gas, double hydrogen, const star_asked& asked, const char* what) {
  std::optional<adiabatic_star> star;
  // The radius rises with the entropy. A mass for which all stars are too heavy at the central densities of such a
  // radius has a larger one, if any.
  const auto larger = [&](double entropy) {
    try {
      auto made_of = adiabat(gas, hydrogen, entropy);
      const bracket centre = densest(*made_of, asked);
      if (!centre.densities) return centre.too_light ? -1.0 : 1.0;
      barotropic_sphere sphere =
          sphere_of_mass(*made_of, asked.mass, centre.densities->least, centre.densities->largest, what, asked.core);
      const double excess = std::log(sphere.radius() / asked.radius);
      star = {entropy, std::move(made_of), std::move(sphere)};
      return excess;
    } catch (const core::user_error& e) {
      core::fail("{}: no star of one entropy has a mass of {:.6g} and a radius of {:.6g}: {}", what, asked.mass,
                 asked.radius, e.what());
    }
  };
  const std::optional<double> entropy =
      find_root_of_rising(larger, entropy_of_polytrope(gas, hydrogen, asked.mass, asked.radius), 0.5, 40, 1e-12, 1e-11);
  constexpr double met = 1e-6;  // else the radius jumps over what is asked
  if (!entropy || std::fabs(larger(*entropy)) > met)
    core::fail("{}: no star of one entropy has a mass of {:.6g} and a radius of {:.6g}", what, asked.mass,
               asked.radius);
  return std::move(*star);
}

}  // namespace rednova::stellar
