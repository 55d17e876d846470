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

/// The sphere of a mass in gas of an entropy. radius: about what it should be.
barotropic_sphere sphere(const tabulated_barotrope& gas, const star_asked& asked, const char* what) {
  const auto [least, largest] = central_densities(asked);
  return sphere_of_mass(gas, asked.mass, std::max(least, gas.lowest_density()),
                        std::min(largest, gas.highest_density()), what, asked.core);
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
  const auto star = [&](double entropy) -> adiabatic_star {
    try {
      auto made_of = adiabat(gas, hydrogen, entropy);
      barotropic_sphere of = sphere(*made_of, asked, what);
      return {entropy, std::move(made_of), std::move(of)};
    } catch (const core::user_error& e) {
      core::fail("{}: no star of one entropy has a mass of {:.6g} and a radius of {:.6g}: {}", what, asked.mass,
                 asked.radius, e.what());
    }
  };
  // The radius rises with the entropy.
  const auto larger = [&](double entropy) { return std::log(star(entropy).sphere.radius() / asked.radius); };
  const std::optional<double> entropy =
      find_root_of_rising(larger, entropy_of_polytrope(gas, hydrogen, asked.mass, asked.radius), 0.5, 40, 1e-12, 1e-11);
  if (!entropy)
    core::fail("{}: no star of one entropy has a mass of {:.6g} and a radius of {:.6g}", what, asked.mass,
               asked.radius);
  return star(*entropy);
}

}  // namespace rednova::stellar
