#include "problem/star_structure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "config/units.hpp"
#include "core/check.hpp"
#include "eos/gas.hpp"
#include "stellar/adiabat.hpp"

namespace rednova::problem {

void expect_gas(star_structure s, const config::input& in, const config::parameters& par, const std::string& key) {
  if (s == star_structure::white_dwarf && par.eos.model != config::gas_model::white_dwarf)
    core::fail("{}: problem.{} = \"white_dwarf\" needs degenerate gas: set eos.model = \"white_dwarf\"",
               in.place("problem", key), key);
  if (s == star_structure::adiabat && par.eos.model != config::gas_model::stellar)
    core::fail("{}: problem.{} = \"adiabat\" needs gas with an entropy: set eos.model = \"stellar\"",
               in.place("problem", key), key);
  if (s == star_structure::profile && par.units.system == config::unit_system::code)
    core::fail("{}: problem.{} = \"profile\" is in grams and centimetres: set units.system = \"solar\"",
               in.place("problem", key), key);
  if (s == star_structure::profile && par.eos.model == config::gas_model::white_dwarf)
    core::fail("{}: problem.{} = \"profile\" needs eos.model = \"ideal\" or \"stellar\"", in.place("problem", key),
               key);
}

namespace {

/// Electrons at the centre have a Fermi momentum between these, in units of m_e c: from planets to the mass limit but
/// for a part in 10^5.
constexpr double least_momentum = 1e-2, largest_momentum = 1e3;

double density(const eos::white_dwarf& gas, double momentum) {
  return gas.density_scale * momentum * momentum * momentum;
}

}  // namespace

star_of_gas cold_star(const config::parameters& par, double mass, const char* what) {
  const eos::white_dwarf of = eos::gas(par).dwarf;
  const auto gas = std::make_shared<const stellar::cold_white_dwarf>(of);
  return {gas, stellar::sphere_of_mass(*gas, mass, density(of, least_momentum), density(of, largest_momentum), what)};
}

star_of_gas convective_star(const config::parameters& par, int species, const stellar::star_asked& asked,
                            const char* what) {
  const eos::stellar_gas of = eos::gas(par).star;
  auto star = stellar::adiabatic_star_of(of.table, of.hydrogen_of[species], asked, what);
  return {std::move(star.gas), std::move(star.sphere)};
}

stellar::profile_star star_of_file(const config::parameters& par, const std::string& path, double core_softening,
                                   const char* what) {
  const eos::gas gas(par);
  const auto adiabat = [&](double rho, double pressure, double hydrogen) -> std::shared_ptr<const stellar::barotrope> {
    if (gas.model == config::gas_model::stellar) {
      const eos::stellar& table = gas.star.table;
      const double e = table.energy_from_pressure(rho, pressure, hydrogen);
      return stellar::adiabat(table, hydrogen, table.entropy(rho, e, hydrogen));
    }
    const double gamma = par.hydro.gamma;
    return std::make_shared<const stellar::polytropic_gas>(1 / (gamma - 1), pressure / std::pow(rho, gamma));
  };
  const stellar::profile of = stellar::read_mesa_profile(path);
  if (gas.model == config::gas_model::stellar && of.hydrogen.empty())
    core::fail("{}: names no column x_mass_fraction_H, which eos.model = \"stellar\" needs", path);
  return stellar::star_of_profile(of, config::units_of(par.units.system), core_softening, adiabat, what);
}

std::string description_of(const std::string& path, const stellar::profile_star& star) {
  std::string words = fmt::format("the star of {}: mass {:.6g}, outermost layer at {:.6g} (asked {:.6g})", path,
                                  star.sphere.mass(), star.surface, star.surface_asked);
  if (star.core.mass > 0)
    words += fmt::format(", a point mass of {:.6g} within {:.6g} in its middle", star.core.mass, star.core.softening);
  if (star.pressure_factor != 1) words += fmt::format(", pressures times {:.6f}", star.pressure_factor);
  if (star.mass_left_out > 0)
    words += fmt::format("; {:.2g} of its mass is in zones whose density does not rise inwards, left out",
                         star.mass_left_out);
  constexpr double most = 0.02;
  if (std::fabs(star.surface / star.surface_asked - 1) > most || std::fabs(star.pressure_factor - 1) > most)
    words += "\nwarning: the profile is not in equilibrium: in it pressure and weight do not balance";
  return words;
}

}  // namespace rednova::problem
