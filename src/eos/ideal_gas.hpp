// The ideal gas: p = (gamma - 1) e.
#pragma once

#include "eos/power_tracer.hpp"
#include "eos/ratios.hpp"

namespace rednova::eos {

/// `at(rho)` gives what holds at a density, from which pressure and energy follow, as every equation of state does; the
/// functions of `ratios` what the fluxes ask for, as stored_gas does for all others. Energies are per volume.
struct ideal_gas {
  double gamma;

  static constexpr bool varies = false;  ///< whether ratios and pressure are found once in each cell, and kept
  template <class T>
  using ratios = constant_ratios;

  /// The gas at a density, to which most of it is all the same.
  template <class T>
  struct state {
    double gamma;

    /// What of the energy e is not there at zero temperature: all.
    REDNOVA_FN T heat(const T& e) const { return e; }
    /// And back.
    REDNOVA_FN T energy_of_heat(const T& heat) const { return heat; }
    /// p of e.
    REDNOVA_FN T pressure(const T& e) const { return (gamma - 1.0) * e; }
    REDNOVA_FN T pressure(const T& e, cell_ratios<T>& r) const {
      r = {T(1.0 / (gamma - 1.0)), T(gamma)};
      return pressure(e);
    }
    /// e of p.
    REDNOVA_FN T energy_of_pressure(const T& p) const { return p * (1.0 / (gamma - 1.0)); }
    /// The entropy tracer tau = e^(1/gamma): advected like a density in smooth adiabatic flow.
    REDNOVA_FN T entropy_tracer(const T& e) const {
      using exec::pow;
      return pow(e, 1.0 / gamma);
    }
    REDNOVA_FN T energy_of_tracer(const T& tau) const {
      using exec::pow;
      return pow(tau, gamma);
    }
    /// Whether the heat of e may be less than half of the tracer's: false where it surely is not. Found at little cost.
    /// energy: e and that of motion.
    REDNOVA_FN auto may_be_colder(const T& e, const T& tau, const T& /*energy*/) const {
      return eos::may_be_colder(gamma, e, tau);
    }
  };
  template <class T>
  REDNOVA_FN state<T> at(const T&) const {
    return {gamma};
  }

  /// e of p.
  template <class T>
  REDNOVA_FN T internal_energy(const T& p, constant_ratios) const {
    return p * (1.0 / (gamma - 1.0));
  }
  /// c² = gamma p / rho.
  template <class T>
  REDNOVA_FN T sound_speed_squared(const T& rho, const T& p, constant_ratios) const {
    return gamma * p / rho;
  }
  /// The same from the volume per mass, for who has it at hand.
  template <class T>
  REDNOVA_FN T sound_speed_squared_of_volume(const T& volume, const T& p, constant_ratios) const {
    return gamma * p * volume;
  }
  /// The largest (dp/de) at constant rho: how fast heat raises the pressure.
  REDNOVA_FN double gruneisen_max() const { return gamma - 1.0; }
  /// The tracer of gas with so much heat.
  REDNOVA_FN double tracer_of_heat(double heat) const { return exec::pow(heat, 1.0 / gamma); }
};

}  // namespace rednova::eos
