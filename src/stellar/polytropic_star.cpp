#include "stellar/polytropic_star.hpp"

#include <cmath>
#include <optional>

#include "core/check.hpp"
#include "stellar/root.hpp"

namespace rednova::stellar {

polytropic_star polytropic_star_of(double index, const star_asked& asked, const char* what) {
  EXPECT(index >= 0.5 && index <= 4 && asked.core.mass < asked.mass && asked.core.softening < asked.radius);
  constexpr double step = 1;
  constexpr int most_steps = 60;
  const double mean = asked.mass / std::pow(asked.radius, 3);
  const auto star = [&](double log_density, double log_constant) -> polytropic_star {
    auto gas = std::make_shared<const polytropic_gas>(index, std::exp(log_constant));
    barotropic_sphere sphere(*gas, gas->enthalpy(std::exp(log_density)), asked.core);
    return {std::move(gas), std::move(sphere)};
  };
  // Of stars of one central density the one with more pressure is heavier.
  const auto star_of_mass = [&](double log_density) -> std::optional<polytropic_star> {
    const auto heavier = [&](double log_constant) {
      return std::log(star(log_density, log_constant).sphere.mass() / asked.mass);
    };
    const double start = std::log(asked.mass / asked.radius) - log_density / index;
    const std::optional<double> found = find_root_of_rising(heavier, start, step, most_steps, 1e-13, 1e-12);
    if (!found) return std::nullopt;
    return star(log_density, *found);
  };
  // And of stars of one mass the one with a denser centre is smaller.
  const auto smaller = [&](double log_density) {
    const std::optional<polytropic_star> of = star_of_mass(log_density);
    return of ? std::log(asked.radius / of->sphere.radius()) : std::nan("");
  };
  const std::optional<double> found = find_root_of_rising(smaller, std::log(mean), step, most_steps, 1e-12, 1e-11);
  std::optional<polytropic_star> of = found ? star_of_mass(*found) : std::nullopt;
  if (!of)
    core::fail("{}: no polytrope of index {} about a core of {:.6g} has a mass of {:.6g} and a radius of {:.6g}", what,
               index, asked.core.mass, asked.mass, asked.radius);
  return std::move(*of);
}

}  // namespace rednova::stellar
