#include "radiation/scheme.hpp"

#include "config/units.hpp"
#include "core/constants.hpp"
#include "radiation/opacity_table.hpp"

namespace rednova::radiation {

namespace {

opacity::law law_of(config::opacity_law asked) {
  if (asked == config::opacity_law::analytic) return opacity::law::analytic;
  return asked == config::opacity_law::table ? opacity::law::table : opacity::law::constant;
}

}  // namespace

scheme scheme_of(const config::parameters& par) {
  const config::radiation& r = par.radiation;
  const core::units unit = config::units_of(par.units.system);
  const bool in_cgs = par.units.system == config::unit_system::solar;
  scheme by;
  by.k.speed = in_cgs ? core::light_speed / unit.velocity() : r.light_speed;
  by.k.density = in_cgs ? core::radiation_constant / unit.pressure() : r.radiation_constant;
  const double gas_constant =
      in_cgs ? core::boltzmann / core::atomic_mass / (unit.velocity() * unit.velocity()) : r.gas_constant;
  by.heat_capacity = gas_constant / (r.mean_weight * (par.hydro.gamma - 1));
  by.substeps = r.substeps;
  by.cfl = r.cfl;
  by.edges = r.reconstruct;
  by.energy_floor = r.energy_floor;
  by.opacities.by = law_of(r.opacity);
  by.opacities.constant = {r.absorption, r.extinction};
  by.opacities.mix = {r.hydrogen, r.metals};
  by.opacities.dust = r.dust ? grains::in_equilibrium : grains::none;
  if (par.eos.model == config::gas_model::stellar) by.opacities.mix.metals = par.eos.carbon + par.eos.oxygen;
  if (r.opacity == config::opacity_law::table) {
    const auto tables = [&](const std::vector<std::string>& paths) {
      return opacity_view(opacity_tables::of(paths, by.opacities.mix.metals).numbers().data());
    };
    by.rosseland = tables(r.tables);
    if (!r.planck_tables.empty()) by.planck = tables(r.planck_tables);
    by.planck_factor = r.planck_factor;
  }
  by.opacities.density_unit = unit.density();
  by.opacities.depth_unit = unit.length;
  return by;
}

}  // namespace rednova::radiation
