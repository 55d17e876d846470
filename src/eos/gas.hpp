// The gas of a run: one equation of state of those that there are, chosen when it starts.
#pragma once

#include "config/parameters.hpp"
#include "eos/ideal_gas.hpp"
#include "eos/stellar_gas.hpp"
#include "eos/stored_gas.hpp"
#include "eos/white_dwarf.hpp"

namespace rednova::eos {

/// Plain data, for cores and devices. The sweeps are compiled for ideal gas and for stored gas, and chosen once by
/// `visit`; what is done for single places asks `at`. Where gas is a mixture, hydrogen is the mass fraction of the
/// place, which `hydrogen` finds; to other gas it is all the same.
struct gas {
  config::gas_model model = config::gas_model::ideal;
  ideal_gas ideal{};
  white_dwarf dwarf{};
  stellar_gas star{};
  bool lit = false;  ///< whether it goes with light that it may trap (config::radiation)

  gas() = default;
  gas(const ideal_gas& of) : ideal(of) {}
  gas(const white_dwarf& of) : model(config::gas_model::white_dwarf), dwarf(of) {}
  /// The gas that an input asks for, in code units. That of stars refers to a table (table_of), which the first call
  /// may make.
  explicit gas(const config::parameters& par);

  /// Whether it is that of stars, from a table.
  REDNOVA_FN bool tabulated() const { return model == config::gas_model::stellar; }
  /// Whether gas has energy at zero temperature.
  REDNOVA_FN bool cold_energy() const { return model != config::gas_model::ideal; }
  /// Whether cells keep pressure and ratios, which are found once: they take long to find, or light stiffens them.
  REDNOVA_FN bool stored() const { return cold_energy() || lit; }
  /// use(the equation of state of the sweeps), which gives the same type for each.
  template <class Use>
  REDNOVA_FN auto visit(const Use& use) const {
    if (stored()) return use(stored_gas{gruneisen_max()});
    return use(ideal);
  }
  /// The largest (dp/de) at constant rho.
  REDNOVA_FN double gruneisen_max() const {
    return tabulated() ? star.table.gruneisen_max() : cold_energy() ? dwarf.gruneisen_max() : ideal.gruneisen_max();
  }
  /// The tracer of gas with so much heat; zero where that depends on the density.
  REDNOVA_FN double tracer_of_heat(double heat) const {
    return tabulated() ? 0.0 : cold_energy() ? dwarf.tracer_of_heat(heat) : ideal.tracer_of_heat(heat);
  }
  /// use(the gas at a density), which gives the same type for each equation of state.
  template <class T, class Use>
  REDNOVA_FN auto at(const T& rho, const T& hydrogen, const Use& use) const {
    if (model == config::gas_model::stellar) return use(star.at(rho, hydrogen));
    if (model == config::gas_model::white_dwarf) return use(dwarf.at(rho));
    return use(ideal.at(rho));
  }
  /// Mass fraction of hydrogen of lanes<T> cells: species from u on, `stride` apart; zero where nothing depends on it.
  template <class T = double>
  REDNOVA_FN T hydrogen(const double* u, std::ptrdiff_t stride) const {
    return tabulated() ? star.hydrogen<T>(u, stride) : T(0.0);
  }

  /// Of single places; energies are per volume.
  REDNOVA_FN double pressure(double rho, double e, double hydrogen) const {
    return at(rho, hydrogen, [&](const auto& here) { return here.pressure(e); });
  }
  REDNOVA_FN double energy_of_pressure(double rho, double p, double hydrogen) const {
    return at(rho, hydrogen, [&](const auto& here) { return here.energy_of_pressure(p); });
  }
  REDNOVA_FN double energy_of_heat(double rho, double heat, double hydrogen) const {
    return at(rho, hydrogen, [&](const auto& here) { return here.energy_of_heat(heat); });
  }
  REDNOVA_FN double heat(double rho, double e, double hydrogen) const {
    return at(rho, hydrogen, [&](const auto& here) { return here.heat(e); });
  }
  REDNOVA_FN double entropy_tracer(double rho, double e, double hydrogen) const {
    return at(rho, hydrogen, [&](const auto& here) { return here.entropy_tracer(e); });
  }
  /// Gamma1 = rho c²/p.
  double gamma1(double rho, double p, double hydrogen) const;
  /// Kelvin; of gas whose mean molecular weight is known, which ideal gas's is not.
  double temperature(double rho, double e, double hydrogen) const;
  /// What gas of stars consists of.
  eos::particles<double> particles(double rho, double e, double hydrogen) const;
};

}  // namespace rednova::eos
