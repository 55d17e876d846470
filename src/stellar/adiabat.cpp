#include "stellar/adiabat.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "stellar/root.hpp"

namespace rednova::stellar {

namespace {

constexpr double step_of_log_density = 0.01;

/// The sphere of a mass in gas of an entropy. radius: about what it should be.
barotropic_sphere sphere(const tabulated_barotrope& gas, double mass, double radius, const char* what) {
  // From less than that of a sphere of constant density to more than that of a polytrope of index 4.
  const double mean = mass / (4 * core::pi / 3 * radius * radius * radius);
  return sphere_of_mass(gas, mass, std::max(0.1 * mean, gas.lowest_density()),
                        std::min(1e4 * mean, gas.highest_density()), what);
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

adiabatic_star adiabatic_star_of(const eos::stellar& gas, double hydrogen, double mass, double radius,
                                 const char* what) {
  const auto star = [&](double entropy) -> adiabatic_star {
    try {
      auto made_of = adiabat(gas, hydrogen, entropy);
      barotropic_sphere of = sphere(*made_of, mass, radius, what);
      return {entropy, std::move(made_of), std::move(of)};
    } catch (const core::user_error& e) {
      core::fail("{}: no star of one entropy has a mass of {:.6g} and a radius of {:.6g}: {}", what, mass, radius,
                 e.what());
    }
  };
  const auto larger = [&](double entropy) { return std::log(star(entropy).sphere.radius() / radius); };
  // The radius rises with the entropy.
  constexpr double step = 0.5;
  constexpr int most_steps = 40;
  double low = entropy_of_polytrope(gas, hydrogen, mass, radius), high = low;
  int steps = 0;
  if (larger(low) > 0) {
    while (larger(low -= step) > 0 && ++steps < most_steps) high = low;
  } else {
    while (larger(high += step) < 0 && ++steps < most_steps) low = high;
  }
  if (steps == most_steps)
    core::fail("{}: no star of one entropy has a mass of {:.6g} and a radius of {:.6g}", what, mass, radius);
  return star(find_root(larger, low, high, 1e-12, 1e-11));
}

}  // namespace rednova::stellar
