// Gas known at some densities, and stars of one entropy.
#include "stellar/tabulated_barotrope.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "config/units.hpp"
#include "core/check.hpp"
#include "eos/stellar_tables.hpp"
#include "stellar/adiabat.hpp"

namespace rednova::stellar {
namespace {

/// A polytrope is exact with however few points, between them and beyond.
TEST(tabulated_barotrope, of_a_power_law_is_exact) {
  constexpr double k = 0.3, g = 5.0 / 3;
  const auto p = [&](double rho) { return k * std::pow(rho, g); };
  const tabulated_barotrope gas({1e-6, 1e-3, 2.0}, {p(1e-6), p(1e-3), p(2.0)});
  for (double rho = 1e-9; rho < 100; rho *= 1.7) {
    const double h = g / (g - 1) * p(rho) / rho;
    EXPECT_NEAR(gas.enthalpy(rho) / h, 1, 1e-13) << rho;
    EXPECT_NEAR(gas.density(h) / rho, 1, 1e-12) << rho;
    EXPECT_NEAR(gas.pressure_of(rho) / p(rho), 1, 1e-13) << rho;
  }
  EXPECT_EQ(gas.density(0), 0);
  EXPECT_EQ(gas.pressure_of(0), 0);
}

/// dp = rho dH also where p/rho is constant, as in ionizing gas, and where it falls inwards.
TEST(tabulated_barotrope, pressure_enthalpy_and_density_belong_together) {
  const tabulated_barotrope gas({1e-4, 1e-3, 1e-2, 1e-1}, {1e-6, 2e-5, 2e-4, 1.5e-3});
  for (const double rho : {3e-4, 3e-3, 3e-2}) {
    const double d = 1e-5 * rho, dp = gas.pressure_of(rho + d) - gas.pressure_of(rho - d),
                 dh = gas.enthalpy(rho + d) - gas.enthalpy(rho - d);
    EXPECT_NEAR(dp / (rho * dh), 1, 1e-8) << rho;
    EXPECT_NEAR(gas.density(gas.enthalpy(rho)) / rho, 1, 1e-12) << rho;
  }
}

/// The sun's mass and radius without radiative layers: the entropy of its centre reaches its surface. Its adiabats are
/// those of the table, dln p/dln rho = Gamma1, and steps of 1 % in density miss that by their square.
TEST(adiabatic_star, has_one_entropy_and_its_mass_and_radius) {
  const auto units = config::units_of(config::unit_system::solar);
  const eos::stellar gas = eos::table_of({}).view(units);
  const adiabatic_star star = adiabatic_star_of(gas, 0.7, {1, 1}, "it");
  EXPECT_NEAR(star.sphere.mass(), 1, 1e-10);
  EXPECT_NEAR(star.sphere.radius(), 1, 1e-10);
  const double centre = star.gas->density(star.sphere.central_enthalpy());
  std::printf("    entropy %.6f k/m_u, centre %.4f g/cm^3\n", star.entropy, centre * units.density());
  // A polytrope of index 1.5 has 8.45; recombination at the surface concentrates it.
  EXPECT_NEAR(centre * units.density(), 8.45, 0.25);
  for (double rho = centre; rho > 1e-9 * centre; rho *= 0.3) {
    const double p = star.gas->pressure_of(rho), e = gas.energy_from_pressure(rho, p, 0.7);
    EXPECT_NEAR(gas.entropy(rho, e, 0.7), star.entropy, 1e-4 * star.entropy) << rho / centre;
    const double slope =
        std::log(star.gas->pressure_of(1.02 * rho) / star.gas->pressure_of(rho / 1.02)) / (2 * std::log(1.02));
    EXPECT_NEAR(slope, gas.pressure_gamma1(rho, e, 0.7).gamma1, 2e-3) << rho / centre;
  }
}

/// Ionization softens a giant's gas, so that its entropy is far below that of a polytrope of index 1.5, from which on
/// it is looked for.
TEST(adiabatic_star, may_be_a_giant) {
  const eos::stellar gas = eos::table_of({}).view(config::units_of(config::unit_system::solar));
  for (const double radius : {50.0, 100.0}) {
    const adiabatic_star star = adiabatic_star_of(gas, 0.7, {1, radius}, "it");
    EXPECT_NEAR(star.sphere.mass(), 1, 1e-9) << radius;
    EXPECT_NEAR(star.sphere.radius() / radius, 1, 1e-9);
  }
}

TEST(adiabatic_star, impossible_ones_are_refused) {
  const eos::stellar gas = eos::table_of({}).view(config::units_of(config::unit_system::solar));
  EXPECT_THROW(adiabatic_star_of(gas, 0.7, {1, 1e-4}, "it"), core::user_error);
  EXPECT_THROW(adiabat(gas, 0.7, -1e3), core::user_error);
}

}  // namespace
}  // namespace rednova::stellar
