// Profiles of stars that the tests compute themselves.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "config/units.hpp"
#include "core/constants.hpp"
#include "stellar/barotropic_sphere.hpp"

namespace rednova::stellar::test {

inline const core::units solar = config::units_of(config::unit_system::solar);

/// A star in the layout of MESA's profiles, solar units: zones between the surface and the share `inner` of the radius,
/// narrower at the surface. hydrogen(m/M): mass fraction. more: names of columns behind the others, and what they have
/// of m/M, density and pressure [code units].
struct more_columns {
  std::string name;
  std::function<double(double, double, double)> value;
};
template <class Hydrogen>
std::string profile_text(const barotrope& gas, const barotropic_sphere& star, double inner, int zones,
                         const Hydrogen& hydrogen, const std::vector<more_columns>& more = {}) {
  std::string text =
      fmt::format("{:>12}{:>12}{:>18}{:>18}\n{:>12}{:>12}{:>18}{:>18}\n{:>12}{:>12}{:18.10e}{:18.10e}\n\n", 1, 2, 3, 4,
                  "model_number", "num_zones", "star_mass", "photosphere_r", 1, zones, star.mass(), star.radius());
  std::string numbers = fmt::format("{:>6}{:>20}{:>18}{:>18}{:>18}{:>20}", 1, 2, 3, 4, 5, 6),
              names = fmt::format("{:>6}{:>20}{:>18}{:>18}{:>18}{:>20}", "zone", "mass", "logR", "logRho", "logP",
                                  "x_mass_fraction_H");
  for (std::size_t n = 0; n < more.size(); ++n) {
    numbers += fmt::format("{:>28}", 7 + n);
    names += fmt::format("{:>28}", more[n].name);
  }
  text += numbers + "\n" + names + "\n";
  const auto face = [&](int zone) {
    const double t = static_cast<double>(zone) / zones;
    return star.radius() * (inner + (1 - inner) * (1 - t * t));
  };
  double mass = star.mass();
  for (int zone = 0; zone < zones; ++zone) {
    const double outer = face(zone), below = face(zone + 1);
    const double twice_middle = std::pow(outer, 3) + std::pow(below, 3);
    const double rho = gas.density(star.enthalpy(std::cbrt(twice_middle / 2)));
    text += fmt::format("{:>6}{:20.12e}{:18.10e}{:18.10e}{:18.10e}{:20.10e}", zone + 1, mass, std::log10(outer),
                        std::log10(rho * solar.density()), std::log10(gas.pressure_of(rho) * solar.pressure()),
                        hydrogen(mass / star.mass()));
    for (const more_columns& c : more)
      text += fmt::format("{:28.16e}", c.value(mass / star.mass(), rho, gas.pressure_of(rho)));
    text += "\n";
    mass -= 4 * core::pi / 3 * (std::pow(outer, 3) - std::pow(below, 3)) * rho;
  }
  return text;
}

}  // namespace rednova::stellar::test
