#include "problem/star_structure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

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

namespace {

/// What the run has at a zone's density, pressure and fraction of hydrogen.
stellar::profile_gas::of_run gas_of_zone(const eos::gas& gas, const config::parameters& par, const core::units& units,
                                         const stellar::profile& of, std::size_t zone) {
  if (!gas.tabulated()) {
    // Without light nothing asks for the mean molecular weight of ideal gas.
    return {.mean_weight = par.radiation.enabled ? par.radiation.mean_weight : stellar::profile_gas::unknown};
  }
  const double rho = of.density[zone] / units.density(), pressure = of.pressure[zone] / units.pressure(),
               hydrogen = of.hydrogen[zone], e = gas.energy_of_pressure(rho, pressure, hydrogen);
  return {par.eos.carbon + par.eos.oxygen, gas.particles(rho, e, hydrogen).mean_weight};
}

/// Beyond these the gas of a run is another one than the profile's. Temperatures are as wrong as the mean molecular
/// weight; light of a temperature that is off by 2 % is by 8 %. Carbon and oxygen in the place of 0.01 of helium raise
/// the energy of ionization by 9e11 erg/g, of the 1.5e13 erg/g of hydrogen and helium.
constexpr double most_weight_off = 0.02, largest_weight_off = 0.1, most_metals_off = 0.01;

std::string composition_words(const stellar::profile_gas& g) {
  std::string words;
  const auto add = [&words](const char* what, const stellar::profile_gas::pair& of) {
    if (std::isnan(of.asked) || std::isnan(of.reached)) return;
    words += fmt::format("{}{} {:.4g} (asked {:.4g})", words.empty() ? "" : ", ", what, of.reached, of.asked);
  };
  add("helium", g.helium);
  add("metals", g.metals);
  add("mean molecular weight", g.mean_weight);
  if (!std::isnan(g.weight_off))
    words += fmt::format(", off by {:.2g} % on average and {:.2g} % at most", 100 * g.weight_off,
                         100 * g.largest_weight_off);
  return words.empty() ? "" : "\nits gas: " + words;
}

std::string composition_warnings(const std::string& path, const stellar::profile_gas& g) {
  std::string words;
  if (g.metals_off > most_metals_off)
    words += fmt::format(
        "\nwarning: {}: the profile has a mass fraction of {:.3g} in metals, but the gas of this run {:.3g} "
        "everywhere, {:.2g} off on average: set eos.carbon and eos.oxygen to add up to the profile's or, of a star "
        "alone, let a core stand for the layers that have others (problem.core_softening)",
        path, g.metals.asked, g.metals.reached, g.metals_off);
  if (g.weight_off > most_weight_off || g.largest_weight_off > largest_weight_off)
    words += fmt::format(
        "\nwarning: {}: the mean molecular weight of this run's gas, and with it the temperature, is off the profile's "
        "by {:.2g} % on average and by {:.2g} % at {:.3g} of the mass: give the gas the profile's composition "
        "(eos.hydrogen, eos.carbon, eos.oxygen; radiation.mean_weight of ideal gas) or, of a star alone, let a core "
        "stand for these layers (problem.core_softening)",
        path, 100 * g.weight_off, 100 * g.largest_weight_off, g.its_mass);
  return words;
}

}  // namespace

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
  const core::units units = config::units_of(par.units.system);
  stellar::profile_star star = stellar::star_of_profile(of, units, core_softening, adiabat, what);
  star.compared = stellar::compare_gas(of, core_softening * units.length,
                                       [&](std::size_t zone) { return gas_of_zone(gas, par, units, of, zone); });
  return star;
}

std::string description_of(const std::string& path, const stellar::profile_star& star) {
  std::string words = fmt::format("the star of {}: mass {:.6g}, outermost layer at {:.6g} (asked {:.6g})", path,
                                  star.sphere.mass(), star.surface, star.surface_asked);
  if (star.core.mass > 0)
    words += fmt::format(", a point mass of {:.6g} within {:.6g} in its middle, where {:.6g} are in all (asked {:.6g})",
                         star.core.mass, star.core.softening, star.within_core, star.within_core_asked);
  if (star.pressure_factor != 1) words += fmt::format(", pressures times {:.6f}", star.pressure_factor);
  if (star.mass_left_out > 0)
    words += fmt::format("; {:.2g} of its mass is in zones whose density does not rise inwards, left out",
                         star.mass_left_out);
  words += composition_words(star.compared);
  constexpr double most = 0.02;
  const double weighed = std::fabs(star.within_core - star.within_core_asked) / star.sphere.mass();
  if (std::fabs(star.surface / star.surface_asked - 1) > most || std::fabs(star.pressure_factor - 1) > most ||
      (star.core.mass > 0 && weighed > most))
    words += "\nwarning: the profile is not in equilibrium: in it pressure and weight do not balance";
  return words + composition_warnings(path, star.compared);
}

std::vector<stellar::model_report::row> composition_rows(const stellar::profile_star& star, const char* name) {
  const stellar::profile_gas& g = star.compared;
  std::vector<stellar::model_report::row> rows;
  const auto add = [&](const char* what, const stellar::profile_gas::pair& of, std::string note) {
    if (!std::isnan(of.asked) && !std::isnan(of.reached))
      rows.push_back({fmt::format("{} of {}", what, name), of.asked, of.reached, std::move(note)});
  };
  add("helium", g.helium, "mass fraction; asked: by the profile");
  add("metals", g.metals, "the same; in the gas carbon and oxygen");
  add("mu", g.mean_weight,
      fmt::format("mean molecular weight; off by {:.2g} % on average, {:.2g} % at most", 100 * g.weight_off,
                  100 * g.largest_weight_off));
  return rows;
}

}  // namespace rednova::problem
