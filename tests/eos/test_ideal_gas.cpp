// The ideal gas: its functions invert each other and obey thermodynamics.
#include "eos/ideal_gas.hpp"

#include <gtest/gtest.h>

namespace {

using namespace rednova;

TEST(ideal_gas, inverses) {
  for (const double gamma : {1.4, 5.0 / 3.0, 2.0}) {
    const eos::ideal_gas gas{gamma};
    for (const double e : {1e-20, 1e-3, 1.0, 1e8}) {
      EXPECT_NEAR(gas.at(1.0).energy_of_pressure(gas.at(1.0).pressure(e)), e, 4e-16 * e);
      EXPECT_EQ(gas.internal_energy(e, {}), gas.at(1.0).energy_of_pressure(e));
      // Two powers: the exponent's rounding grows with |log e|, here at most 46.
      EXPECT_NEAR(gas.at(1.0).energy_of_tracer(gas.tracer_of_heat(e)), e, 2e-14 * e);
    }
  }
}

/// c² = (dp/drho) at constant entropy = dp/drho|_e + (e + p)/rho dp/de, with p = p(rho, e) per volume.
TEST(ideal_gas, sound_speed_is_the_isentropic_derivative) {
  const eos::ideal_gas gas{1.4};
  const double rho = 0.7, e = 2.1, p = gas.at(rho).pressure(e);
  EXPECT_NEAR(gas.sound_speed_squared(rho, p, {}), (e + p) / rho * gas.gruneisen_max(), 1e-14);
}

/// The tracer is advected like a density: rho^-1 e^(1/gamma) is constant along an isentrope p = K rho^gamma.
TEST(ideal_gas, tracer_per_mass_is_entropy) {
  const eos::ideal_gas gas{5.0 / 3.0};
  const auto per_mass = [&](double rho) {
    return gas.tracer_of_heat(gas.at(rho).energy_of_pressure(3.0 * exec::pow(rho, gas.gamma))) / rho;
  };
  EXPECT_NEAR(per_mass(1e-6) / per_mass(10.0), 1.0, 1e-14);
}

}  // namespace
