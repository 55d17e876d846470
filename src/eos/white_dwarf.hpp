// The gas of white dwarfs: cold degenerate electrons and an ideal thermal part.
#pragma once

#include "core/constants.hpp"
#include "core/units.hpp"
#include "exec/elementary.hpp"

namespace rednova::eos {

/// Pressure and first adiabatic index, Gamma1 = rho c²/p.
template <class T>
struct pressure_gamma1 {
  T pressure, gamma1;
};

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
    const T rest = z / (1.0 + r);  // r - 1 without cancellation
    // The closed form loses digits as x^-5: a small x takes the series, which is only right there.
    const auto small = x < series_end;
    T p(0.0);
    if (any(small)) p = x3 * z * pressure_series(min(z, T(series_end * series_end)));
    if (any(!small)) p = select(small, p, x * (2.0 * z - 3.0) * r + 3.0 * exec::natural_log(T(x + r)));  // asinh x
    const T e = 8.0 * x3 * rest - p;
    const double enthalpy_scale = 8.0 * pressure_scale / density_scale;
    return {pressure_scale * p, pressure_scale * e, enthalpy_scale * rest, (enthalpy_scale / 3.0) * z / r};
  }
  /// The density at which the cold gas has this enthalpy per mass; zero where it is negative.
  template <class T>
  REDNOVA_FN T density_of_enthalpy(const T& enthalpy) const {
    using exec::max, exec::sqrt;
    const T q = max(enthalpy * (density_scale / (8.0 * pressure_scale)), T(0.0));
    const T z = q * (q + 2.0);
    return density_scale * z * sqrt(z);
  }

  /// p(rho, e).
  template <class T>
  REDNOVA_FN T pressure(const T& rho, const T& e) const {
    const cold_electrons<T> c = cold(rho);
    return c.pressure + (gamma - 1.0) * (e - c.energy);
  }
  /// p and Gamma1 of (rho, e). c² = dp_deg/drho + gamma p_thermal / rho is exact, since at zero temperature
  /// de_deg/drho is the enthalpy.
  template <class T>
  REDNOVA_FN eos::pressure_gamma1<T> pressure_gamma1(const T& rho, const T& e) const {
    const cold_electrons<T> c = cold(rho);
    const T thermal = (gamma - 1.0) * (e - c.energy), p = c.pressure + thermal;
    return {p, (rho * c.pressure_derivative + gamma * thermal) / p};
  }
  /// e(rho, p).
  template <class T>
  REDNOVA_FN T energy_from_pressure(const T& rho, const T& p) const {
    const cold_electrons<T> c = cold(rho);
    return c.energy + (p - c.pressure) * (1.0 / (gamma - 1.0));
  }
  /// Kelvin.
  template <class T>
  REDNOVA_FN T temperature(const T& rho, const T& e) const {
    using exec::max;
    return (temperature_of_heat * (gamma - 1.0)) * max(e - cold(rho).energy, T(0.0)) / rho;
  }
  /// tau = e_thermal^(1/gamma): advected like a density in smooth adiabatic flow.
  template <class T>
  REDNOVA_FN T entropy_tracer(const T& rho, const T& e) const {
    using exec::max, exec::pow;
    return pow(max(e - cold(rho).energy, T(0.0)), 1.0 / gamma);
  }
  /// e(rho, tau).
  template <class T>
  REDNOVA_FN T energy_from_tracer(const T& rho, const T& tau) const {
    using exec::pow;
    return cold(rho).energy + pow(tau, gamma);
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
