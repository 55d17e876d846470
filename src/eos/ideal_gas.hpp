// The ideal gas: p = (gamma - 1) e.
#pragma once

#include "exec/simd.hpp"

namespace rednova::eos {

/// An equation of state gives pressure and sound speed from density and internal energy density, and back.
/// Another one is another struct with these members.
struct ideal_gas {
  double gamma;

  /// p(rho, e), e internal energy per volume.
  template <class T>
  REDNOVA_FN T pressure(const T&, const T& e) const {
    return (gamma - 1.0) * e;
  }
  /// e(rho, p) per volume.
  template <class T>
  REDNOVA_FN T internal_energy(const T&, const T& p) const {
    return p * (1.0 / (gamma - 1.0));
  }
  /// c² = gamma p / rho.
  template <class T>
  REDNOVA_FN T sound_speed_squared(const T& rho, const T& p) const {
    return gamma * p / rho;
  }
  /// The same from the volume per mass, for who has it at hand.
  template <class T>
  REDNOVA_FN T sound_speed_squared_of_volume(const T& volume, const T& p) const {
    return gamma * p * volume;
  }
  /// (dp/de) at constant rho: how fast heat raises the pressure.
  REDNOVA_FN double gruneisen() const { return gamma - 1.0; }
  /// The entropy tracer tau = e^(1/gamma): advected like a density in smooth adiabatic flow.
  template <class T>
  REDNOVA_FN T entropy_tracer(const T& e) const {
    using exec::pow;
    return pow(e, 1.0 / gamma);
  }
  template <class T>
  REDNOVA_FN T energy_from_tracer(const T& tau) const {
    using exec::pow;
    return pow(tau, gamma);
  }
};

}  // namespace rednova::eos
