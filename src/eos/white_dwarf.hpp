// The gas of white dwarfs: cold degenerate electrons and an ideal thermal part.
#pragma once

#include "core/constants.hpp"
#include "core/units.hpp"
#include "eos/power_tracer.hpp"
#include "eos/ratios.hpp"
#include "exec/elementary.hpp"

namespace rednova::eos {

/// Electrons at zero temperature at one density.
template <class T>
struct cold_electrons {
  T pressure;             ///< per volume
  T energy;               ///< per volume, without rest mass
  T enthalpy;             ///< per mass, (energy + pressure) / rho
  T pressure_derivative;  ///< dp/drho
};

/// p = p_deg(rho) + (gamma - 1) (e - e_deg(rho)), with p_deg and e_deg of electrons at zero temperature
/// (Chandrasekhar 1935; Cox & Giuli 1968, sections 24.2 and 24.3) and e the internal energy per volume:
///   x = (rho / B mu_e)^(1/3),  r = sqrt(1 + x²),
///   p_deg = A [x (2 x² - 3) r + 3 asinh x],  e_deg + p_deg = 8 A x³ (r - 1),  dp_deg/drho = 8 A x² / (3 B mu_e r).
/// e below e_deg is not a state of this gas: pressure and energy still invert each other there, temperature and
/// tracer are zero.
struct white_dwarf {
  double gamma;                ///< of the thermal part
  double pressure_scale;       ///< A [pressure]
  double density_scale;        ///< B mu_e [density]: the electrons' Fermi momentum is x m_e c with rho = B mu_e x³
  double temperature_of_heat;  ///< kelvin for one unit of thermal pressure over density

  /// The gas in code units: mu_e nucleons per electron; `mean_weight` is the mean molecular weight of the thermal part.
  static white_dwarf in(const core::units& u, double mu_e, double mean_weight, double gamma = 5.0 / 3.0) {
    using namespace core;
    const double momentum = electron_mass * light_speed / planck;  // of the Compton wavelength, per h
    const double volume_density = momentum * momentum * momentum;
    const double a = pi / 3.0 * volume_density * electron_mass * light_speed * light_speed;
    const double b = 8.0 * pi / 3.0 * volume_density * atomic_mass;
    return {gamma, a / u.pressure(), b * mu_e / u.density(),
            mean_weight * atomic_mass / boltzmann * u.velocity() * u.velocity()};
  }

  /// The cold curve at rho >= 0.
  template <class T>
  REDNOVA_FN cold_electrons<T> cold(const T& rho) const {
    using exec::any, exec::min, exec::select, exec::sqrt;
    const T x = exec::cube_root(T(rho * (1.0 / density_scale))), z = x * x, x3 = x * z, r = sqrt(1.0 + z);
    const T per = 1.0 / (r * (1.0 + r));  // one division for the two below
    const T rest = z * (r * per);         // r - 1 without cancellation
    // The closed form loses digits as x^-5: a small x takes the series, which is only right there.
    const auto small = x < series_end;
    T p(0.0);
    if (any(small)) p = x3 * z * pressure_series(min(z, T(series_end * series_end)));
    if (any(!small)) p = select(small, p, x * (2.0 * z - 3.0) * r + 3.0 * exec::natural_log(T(x + r)));  // asinh x
    const T e = 8.0 * x3 * rest - p;
    const double enthalpy_scale = 8.0 * pressure_scale / density_scale;
    return {pressure_scale * p, pressure_scale * e, enthalpy_scale * rest,
            (enthalpy_scale / 3.0) * z * ((1.0 + r) * per)};
  }
  /// The density at which the cold gas has this enthalpy per mass; zero where it is negative.
  template <class T>
  REDNOVA_FN T density_of_enthalpy(const T& enthalpy) const {
    using exec::max, exec::sqrt;
    const T q = max(enthalpy * (density_scale / (8.0 * pressure_scale)), T(0.0));
    const T z = q * (q + 2.0);
    return density_scale * z * sqrt(z);
  }

  /// The gas at a density.
  template <class T>
  struct state {
    const white_dwarf& gas;
    T rho;
    cold_electrons<T> cold;

    /// What of the energy e is not there at zero temperature; negative below the cold curve.
    REDNOVA_FN T heat(const T& e) const { return e - cold.energy; }
    /// And back.
    REDNOVA_FN T energy_of_heat(const T& heat) const { return cold.energy + heat; }
    /// p of e.
    REDNOVA_FN T pressure(const T& e) const { return cold.pressure + (gas.gamma - 1.0) * heat(e); }
    /// The same with its ratios. c² = dp_deg/drho + gamma p_thermal / rho is exact, since at zero temperature
    /// de_deg/drho is the enthalpy.
    REDNOVA_FN T pressure(const T& e, cell_ratios<T>& r) const {
      const T thermal = (gas.gamma - 1.0) * heat(e), p = cold.pressure + thermal, per_p = 1.0 / p;
      r = {e * per_p, (rho * cold.pressure_derivative + gas.gamma * thermal) * per_p};
      return p;
    }
    /// e of p.
    REDNOVA_FN T energy_of_pressure(const T& p) const {
      return cold.energy + (p - cold.pressure) * (1.0 / (gas.gamma - 1.0));
    }
    /// tau = e_thermal^(1/gamma): advected like a density in smooth adiabatic flow.
    REDNOVA_FN T entropy_tracer(const T& e) const {
      using exec::max;
      return gas.tracer_of_heat(T(max(heat(e), T(0.0))));
    }
    REDNOVA_FN T energy_of_tracer(const T& tau) const { return cold.energy + gas.heat_of_tracer(tau); }
    /// As ideal_gas's.
    REDNOVA_FN auto may_be_colder(const T& e, const T& tau, const T& /*energy*/) const {
      return eos::may_be_colder(gas.gamma, heat(e), tau);
    }
    /// Kelvin.
    REDNOVA_FN T temperature(const T& e) const {
      using exec::max;
      return (gas.temperature_of_heat * (gas.gamma - 1.0)) * max(heat(e), T(0.0)) / rho;
    }
  };
  template <class T>
  REDNOVA_FN state<T> at(const T& rho) const {
    return {*this, rho, cold(rho)};
  }

  /// The heat that a tracer stands for: of cold gas in every cell and stage, so that the usual gamma, 5/3, takes a
  /// root.
  template <class T>
  REDNOVA_FN T heat_of_tracer(const T& tau) const {
    using exec::pow;
    if (gamma != 5.0 / 3.0) return pow(tau, gamma);
    const T root = exec::cube_root(tau);
    return tau * (root * root);
  }
  /// The tracer of gas with so much heat: of all cells after each step, so likewise.
  template <class T>
  REDNOVA_FN T tracer_of_heat(const T& heat) const {
    using exec::pow;
    if (gamma != 5.0 / 3.0) return pow(heat, 1.0 / gamma);
    return exec::three_fifths_power(heat);
  }
  /// The largest (dp/de) at constant rho.
  REDNOVA_FN double gruneisen_max() const { return gamma - 1.0; }

  /// Where the series end; both forms are within 1e-13 there.
  static constexpr double series_end = 0.35;

 private:
  static constexpr int terms = 15;
  /// 8 binomial(-1/2, n) / (2 n + 5).
  static constexpr double coefficient(int n) {
    double c = 8.0 / (2 * n + 5);
    for (int j = 0; j < n; ++j) c *= (-0.5 - j) / (j + 1);
    return c;
  }
  /// p_deg / (A x^5) of z = x²: 8 sum_n binomial(-1/2, n) z^n / (2 n + 5), since dp/dx = 8 A x^4 / r.
  template <int N = 0, class T>
  REDNOVA_FN static T pressure_series(const T& z) {
    constexpr double c = coefficient(N);
    if constexpr (N + 1 < terms) {
      return c + z * pressure_series<N + 1>(z);
    } else {
      return T(c);
    }
  }
};

}  // namespace rednova::eos
