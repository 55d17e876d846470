// What contradicts itself in [radiation].
#include "config/radiation_checks.hpp"

#include <cmath>

#include "core/check.hpp"

namespace rednova::config {

namespace {

using place_of = std::function<std::string(const std::string&)>;

/// Which gas may have light of its own, and what it knows by itself.
void check_gas_of_light(const parameters& p, const place_of& place) {
  if (p.eos.model == gas_model::white_dwarf)
    core::fail(
        "{}: radiation.enabled needs eos.model = \"ideal\" or \"stellar\": that of white_dwarf is cold to a thousandth "
        "of "
        "its energy only, so that what shone would be noise",
        place("radiation.enabled"));
  if (p.eos.model != gas_model::stellar) return;
  if (p.eos.radiation)
    core::fail(
        "{}: radiation.enabled evolves the light that eos.radiation = true makes a part of the gas, which would count "
        "it "
        "twice: set eos.radiation = false",
        place("radiation.enabled"));
  const radiation &light = p.radiation, by_default;
  const struct {
    const char* key;
    bool as_by_default;
    const char* instead;
  } idle[] = {{"radiation.hydrogen", light.hydrogen == by_default.hydrogen, "eos.hydrogen"},
              {"radiation.metals", light.metals == by_default.metals, "eos.carbon + eos.oxygen"},
              {"radiation.mean_weight", light.mean_weight == by_default.mean_weight, "the gas's table"}};
  for (const auto& key : idle) {
    if (!key.as_by_default)
      core::fail("{}: {} means nothing to stellar gas, which has it of {}: leave it out", place(key.key), key.key,
                 key.instead);
  }
}

void check_opacities(const parameters& p, const place_of& place) {
  const radiation& r = p.radiation;
  const bool constant = r.opacity == opacity_law::constant, table = r.opacity == opacity_law::table;
  const char* const name = enum_names<opacity_law>::value[static_cast<std::size_t>(r.opacity)];
  if (!constant && p.units.system != unit_system::solar)
    core::fail(
        "{}: radiation.opacity = \"{}\" needs densities in g/cm^3 and kelvins: set units.system = "
        "\"solar\"",
        place("radiation.opacity"), name);
  if (!constant && (r.absorption != 0 || r.extinction != 0))
    core::fail(
        "{}: radiation.absorption and radiation.extinction are of radiation.opacity = \"constant\": leave them "
        "out",
        place(r.absorption != 0 ? "radiation.absorption" : "radiation.extinction"));
  if (constant && r.absorption == 0 && r.extinction == 0 && r.temperature == 0)
    core::fail(
        "{}: radiation.opacity = \"constant\" has neither absorption nor extinction, and no light to begin with "
        "(radiation.temperature), so there would be none: set radiation.absorption, or another opacity",
        place("radiation.enabled"));
  if (table && r.tables.empty())
    core::fail("{}: radiation.opacity = \"table\" needs files: name them in radiation.tables",
               place("radiation.opacity"));
  if (r.dust && r.opacity != opacity_law::analytic)
    core::fail("{}: radiation.dust is a term of radiation.opacity = \"analytic\", this is \"{}\"{}: leave it out",
               place("radiation.dust"), name, table ? ", whose files have dust or not" : "");
  const radiation by_default;
  const struct {
    const char* key;
    bool idle;
  } of_tables[] = {{"radiation.tables", r.tables.empty()},
                   {"radiation.planck_tables", r.planck_tables.empty()},
                   {"radiation.planck_factor", r.planck_factor == by_default.planck_factor}};
  for (const auto& key : of_tables) {
    if (!table && !key.idle)
      core::fail("{}: {} is of radiation.opacity = \"table\": set that, or leave it out", place(key.key), key.key);
  }
  if (!r.planck_tables.empty() && r.planck_factor != by_default.planck_factor)
    core::fail("{}: radiation.planck_factor stands for the radiation.planck_tables that are given: leave it out",
               place("radiation.planck_factor"));
}

}  // namespace

void check_radiation(const parameters& p, const place_of& place) {
  const radiation& r = p.radiation;
  if (!r.enabled) return;
  check_gas_of_light(p, place);
  const struct {
    const char* key;
    double value;
  } constants[] = {{"radiation.light_speed", r.light_speed},
                   {"radiation.radiation_constant", r.radiation_constant},
                   {"radiation.gas_constant", r.gas_constant}};
  for (const auto& c : constants) {
    if (p.units.system == unit_system::code && c.value == 0)
      core::fail(
          "{}: radiation.enabled needs {}, since units.system = \"code\" does not know it; set it, or "
          "units.system = \"solar\"",
          place("radiation.enabled"), c.key);
    if (p.units.system == unit_system::solar && c.value != 0)
      core::fail("{}: {} = {:g} is known where units.system = \"solar\": leave it out", place(c.key), c.key, c.value);
  }
  check_opacities(p, place);
  if (r.extinction < r.absorption)
    core::fail(
        "{}: radiation.extinction = {:g} is less than radiation.absorption = {:g}, which is a part of it: "
        "raise it to that at least",
        place("radiation.extinction"), r.extinction, r.absorption);
  // Of transparent cells; a step's signals cross hydro.cfl of a cell.
  constexpr double slowest = 2;
  const double ratio = r.substeps * r.cfl / p.hydro.cfl;
  if (ratio < slowest)
    core::fail(
        "{}: radiation.substeps = {} slows light down to {:.2g} times the gas's signals, it must be {:g} times at "
        "least: "
        "with radiation.cfl = {:g} and hydro.cfl = {:g} that takes {:.0f} substeps",
        place("radiation.substeps"), r.substeps, ratio, slowest, r.cfl, p.hydro.cfl,
        std::ceil(slowest * p.hydro.cfl / r.cfl));
  if (r.hydrogen + r.metals > 1)
    core::fail("{}: radiation.hydrogen + radiation.metals = {:g} is more than all", place("radiation.hydrogen"),
               r.hydrogen + r.metals);
}

}  // namespace rednova::config
