// The ideal gas: its functions invert each other and obey thermodynamics.
#include "eos/ideal_gas.hpp"

#include <gtest/gtest.h>

namespace {

using namespace rednova;

TEST(ideal_gas, inverses) {
  for (const double gamma : {1.4, 5.0 / 3.0, 2.0}) {
    const eos::ideal_gas gas{gamma};
    for (const double e : {1e-20, 1e-3, 1.0, 1e8}) {
      EXPECT_NEAR(gas.internal_energy(1.0, gas.pressure(1.0, e)), e, 4e-16 * e);
      // Two powers: the exponent's rounding grows with |log e|, here at most 46.
      EXPECT_NEAR(gas.energy_from_tracer(gas.entropy_tracer(e)), e, 2e-14 * e);
    }
  }
}

/// c² = (dp/drho) at constant entropy = dp/drho|_e + (e + p)/rho dp/de, with p = p(rho, e) per volume.
TEST(ideal_gas, sound_speed_is_the_isentropic_derivative) {
  const eos::ideal_gas gas{1.4};
  const double rho = 0.7, e = 2.1, p = gas.pressure(rho, e);
  EXPECT_NEAR(gas.sound_speed_squared(rho, p), (e + p) / rho * gas.gruneisen(), 1e-14);
}

/// The tracer is advected like a density: rho^-1 e^(1/gamma) is constant along an isentrope p = K rho^gamma.
TEST(ideal_gas, tracer_per_mass_is_entropy) {
  const eos::ideal_gas gas{5.0 / 3.0};
  const auto per_mass = [&](double rho) {
    return gas.entropy_tracer(gas.internal_energy(rho, 3.0 * exec::pow(rho, gas.gamma))) / rho;
  };
  EXPECT_NEAR(per_mass(1e-6) / per_mass(10.0), 1.0, 1e-14);
}

}  // namespace
