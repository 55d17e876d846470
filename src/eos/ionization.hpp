// Charge neutrality: the electrons' chemical potential and the occupied volume of a mixture at (rho, T).
#pragma once

#include "eos/fermi_dirac.hpp"
#include "eos/mixture.hpp"
#include "eos/populations.hpp"

namespace rednova::eos {

/// The unknowns of charge neutrality, and a start for states nearby.
struct potentials {
  double electron = 0;        ///< eta, or ln(eta + 1/beta) where there are positrons
  double log_occupation = 0;  ///< ln u
  positrons kind = positrons::none;
  bool known = false;
  double electron_t = 0, log_occupation_t = 0;  ///< derivatives by ln T at constant density

  /// A start for the same density where ln T is more by `more`.
  potentials after(double more) const {
    potentials next = *this;
    next.electron += more * electron_t;
    next.log_occupation += more * log_occupation_t;
    return next;
  }
};

/// Positrons are left out below 5e7 K, where they are fewer than 1e-47 of the electrons at 1e-15 g/cm^3.
inline positrons kind_at(double log_t) { return log_t > 17.72753356 ? positrons::included : positrons::none; }

/// k T over the electron's rest energy.
template <class S>
S rest_temperature(const S& kelvin) {
  return kelvin * (core::boltzmann / (core::electron_mass * core::light_speed * core::light_speed));
}

/// What fermi_dirac is called with, and eta, from the unknown.
template <class T>
struct electron_potential {
  T of_gas, eta;
  template <class S>
  electron_potential(const T& unknown, const S& kelvin, positrons kind) {
    using std::exp;
    of_gas = kind == positrons::none ? unknown : exp(unknown);
    eta = kind == positrons::none ? unknown : T(of_gas - 1.0 / rest_temperature(kelvin));
  }
};

/// ln(released electrons / free electrons) and ln(occupied volume / u): zero in equilibrium. `free` electrons: per
/// cm^3.
template <class T>
struct imbalance {
  T charge, occupation;
};
template <class S, class T>
imbalance<T> imbalance_of(const mixture& gas, const thermal_terms<S>& at, const T& eta, const T& log_u, const T& free) {
  using std::log;
  const auto sum = populations<wanted::balance>(gas, at, eta, log_u);
  return {log(sum.electrons) - log(free), log(sum.occupation) - log_u};
}

/// Newton's method in (electron, ln u) from `start` or a guess; where it fails, nested bracketed iterations, which do
/// not. Residuals are below 1e-11.
potentials solve_ionization(const mixture& gas, double log_rho, double log_t, const potentials& start);

}  // namespace rednova::eos
