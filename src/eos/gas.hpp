// The gas of a run: one equation of state of those that there are, chosen when it starts.
#pragma once

#include "config/parameters.hpp"
#include "eos/ideal_gas.hpp"
#include "eos/white_dwarf.hpp"

namespace rednova::eos {

/// Plain data, for cores and devices. Long loops are compiled for each equation of state and chosen once by `visit`;
/// what is done for single cells may ask here.
struct gas {
  config::gas_model model = config::gas_model::ideal;
  ideal_gas ideal{};
  white_dwarf dwarf{};

  gas() = default;
  gas(const ideal_gas& of) : ideal(of) {}
  gas(const white_dwarf& of) : model(config::gas_model::white_dwarf), dwarf(of) {}
  /// The gas that an input asks for, in code units.
  explicit gas(const config::parameters& par);

  /// use(the equation of state), which gives the same type for each.
  template <class Use>
  REDNOVA_FN auto visit(const Use& use) const {
    if (model == config::gas_model::white_dwarf) return use(dwarf);
    return use(ideal);
  }

  /// Of single places; energies are per volume.
  REDNOVA_FN double pressure(double rho, double e) const {
    return visit([&](const auto& of) { return of.at(rho).pressure(e); });
  }
  REDNOVA_FN double energy_of_pressure(double rho, double p) const {
    return visit([&](const auto& of) { return of.at(rho).energy_of_pressure(p); });
  }
  REDNOVA_FN double energy_of_heat(double rho, double heat) const {
    return visit([&](const auto& of) { return of.at(rho).energy_of_heat(heat); });
  }
  REDNOVA_FN double heat(double rho, double e) const {
    return visit([&](const auto& of) { return of.at(rho).heat(e); });
  }
  REDNOVA_FN double entropy_tracer(double rho, double e) const {
    return visit([&](const auto& of) { return of.at(rho).entropy_tracer(e); });
  }
  /// Gamma1 = rho c²/p.
  REDNOVA_FN double gamma1(double rho, double p) const {
    if (model == config::gas_model::ideal) return ideal.gamma;
    return visit([&]<class Eos>(const Eos& of) {
      typename Eos::template ratios<double> r;
      of.at(rho).pressure(of.at(rho).energy_of_pressure(p), r);
      return rho * of.sound_speed_squared(rho, p, r) / p;
    });
  }
  REDNOVA_FN double tracer_of_heat(double heat) const {
    return visit([&](const auto& of) { return of.tracer_of_heat(heat); });
  }
};

}  // namespace rednova::eos
