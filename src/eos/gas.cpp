#include "eos/gas.hpp"

#include <algorithm>

#include "config/units.hpp"
#include "core/check.hpp"
#include "eos/stellar_tables.hpp"

namespace rednova::eos {

namespace {

stellar_gas gas_of_stars(const config::parameters& par) {
  stellar_gas gas;
  gas.table = table_of(par.eos).view(config::units_of(par.units.system));
  gas.species = static_cast<int>(par.hydro.species.size());
  const std::vector<double>& given = par.eos.hydrogen;
  for (std::size_t k = 0; k < par.hydro.species.size(); ++k) gas.hydrogen_of[k] = given[std::min(k, given.size() - 1)];
  return gas;
}

}  // namespace

gas::gas(const config::parameters& par)
    : model(par.eos.model),
      ideal{par.hydro.gamma},
      dwarf(white_dwarf::in(config::units_of(par.units.system), par.eos.electron_weight, par.eos.mean_weight,
                            par.hydro.gamma)),
      lit(par.radiation.enabled) {
  if (tabulated()) star = gas_of_stars(par);
}

double gas::gamma1(double rho, double p, double hydrogen) const {
  if (model == config::gas_model::ideal) return ideal.gamma;
  const auto of = [&](const auto& here) {
    cell_ratios<double> r;
    here.pressure(here.energy_of_pressure(p), r);
    return r.gamma1;
  };
  return tabulated() ? of(star.at(rho, hydrogen)) : of(dwarf.at(rho));
}

double gas::temperature(double rho, double e, double hydrogen) const {
  EXPECT(model != config::gas_model::ideal);
  return tabulated() ? star.at(rho, hydrogen).temperature(e) : dwarf.at(rho).temperature(e);
}

particles<double> gas::particles(double rho, double e, double hydrogen) const {
  EXPECT(tabulated());
  return star.at(rho, hydrogen).particles(e);
}

}  // namespace rednova::eos
