// The gas of stars: a model that computes the same in another way, thermodynamics, limits.
#include "eos/free_energy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <span>

#include "core/check.hpp"
#include "eos/free_energy_expected.hpp"
#include "eos/white_dwarf.hpp"

namespace {

using namespace rednova;
using eos::composition, eos::free_energy, eos::gas_state, eos::molecules, eos::radiation;

const composition solar{0.7, 0.28, 0.01, 0.01};

/// Where gas is not colder than tables need it; colder gas is degenerate to 1e-6 and loses that many digits.
double coldest(double rho) {
  return std::max(1e3 * std::max(1.0, std::pow(rho / 1e3, 0.7)), std::min(1e3 * std::pow(rho / 1e-3, 0.4), 1e5));
}

/// The model integrates with hundreds of points and finds the equilibrium by bisection. Aparicio's points are good to
/// 1e-12; what belongs to the ions of degenerate gas, its Grueneisen coefficient and the entropy, is smaller
/// than the electrons' sums by up to 1e3 (eta) at these points.
void compare(const free_energy& gas, std::span<const eos::test::expected_state> expected) {
  for (const auto& row : expected) {
    const gas_state s = gas.at(row.rho, row.kelvin);
    const auto& [p, e, entropy, gamma1, gruneisen, weight, electrons, ionization] = row.values;
    const auto near = [&](double found, double value, double tolerance, const char* what) {
      EXPECT_NEAR(found / value, 1.0, tolerance) << what << " at " << row.rho << " g/cm^3, " << row.kelvin << " K";
    };
    near(s.pressure, p, 1e-11, "pressure");
    near(s.energy, e, 1e-11, "energy");
    near(s.entropy, entropy, 1e-9, "entropy");
    near(s.gamma1, gamma1, 1e-9, "Gamma1");
    near(s.gruneisen, gruneisen, 1e-7, "Grueneisen coefficient");
    near(s.mean_weight, weight, 1e-11, "mean weight");
    near(s.free_electrons, electrons, 1e-10, "free electrons");
    near(s.ionization_energy, ionization, 1e-10, "ionization energy");
  }
}

TEST(free_energy, model) { compare(free_energy(solar, radiation::included), eos::test::solar); }
TEST(free_energy, model_with_molecules) {
  compare(free_energy(solar, radiation::none, molecules::hydrogen), eos::test::molecular);
}
TEST(free_energy, model_of_carbon_and_oxygen) {
  compare(free_energy({0, 0, 0.5, 0.5}, radiation::included), eos::test::carbon_oxygen);
}

/// de = T ds + p/rho² drho with derivatives by ln rho and ln T, Maxwell's relation, and stability, over the whole
/// range.
TEST(free_energy, thermodynamics) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> log_rho(-15.0, 7.5), part(0.0, 1.0);
  for (const auto with : {molecules::none, molecules::hydrogen}) {
    const free_energy gas(solar, radiation::included, with);
    for (int n = 0; n < 3000; ++n) {
      const double rho = std::pow(10.0, log_rho(random)), cold = coldest(rho);
      const double t = cold * std::pow(1e10 / cold, part(random));
      const gas_state s = gas.at(rho, t);
      const double size = s.pressure / rho;
      ASSERT_NEAR((s.energy_rho - (s.pressure - s.pressure_t) / rho) / size, 0.0, 1e-8) << rho << " " << t;
      ASSERT_NEAR((s.entropy_rho + s.pressure_t / (rho * t)) * t / size, 0.0, 1e-8) << rho << " " << t;
      ASSERT_NEAR((s.entropy_t * t - s.energy_t) / s.energy_t, 0.0, 1e-5) << rho << " " << t;
      ASSERT_GT(s.pressure_rho, 0.0) << rho << " " << t;
      ASSERT_GT(s.energy_t, 0.0) << rho << " " << t;
      ASSERT_GT(s.gruneisen, 0.0) << rho << " " << t;
      ASSERT_GT(s.gamma1, 0.0) << rho << " " << t;
    }
  }
}

/// A start from elsewhere, or one that Newton's method cannot use, leads to the same state.
TEST(free_energy, does_not_depend_on_the_start) {
  const free_energy gas(solar, radiation::included);
  for (const double rho : {1e-12, 1e-7, 1e-2, 1e3, 1e6}) {
    for (const double t : {1.5e4, 3e5, 1e7, 1e9}) {
      if (t < coldest(rho)) continue;
      const gas_state s = gas.at(rho, t);
      for (const double shift : {-30.0, 3.0, 500.0}) {
        eos::potentials start = s.solution;
        start.electron += shift;
        start.log_occupation += 0.1 * shift;
        const gas_state other = gas.at(rho, t, start);
        EXPECT_NEAR(other.pressure / s.pressure, 1.0, 1e-10) << rho << " " << t << " " << shift;
        EXPECT_NEAR(other.energy / s.energy, 1.0, 1e-10) << rho << " " << t << " " << shift;
      }
    }
  }
}

/// A start for another temperature follows the solution to first order: what is left falls with the square of the step.
TEST(free_energy, a_start_follows_the_temperature) {
  const free_energy gas(solar, radiation::included);
  for (const double rho : {1e-12, 1e-7, 1e-2, 1e3}) {
    for (const double t : {1.5e4, 3e5, 1e7, 1e9}) {
      if (t < coldest(rho)) continue;
      const gas_state s = gas.at(rho, t);
      const auto off = [&](double step) {
        const eos::potentials exact = gas.at(rho, t * std::exp(step)).solution, guess = s.solution.after(step);
        return std::array{std::abs(guess.electron - exact.electron),
                          std::abs(guess.log_occupation - exact.log_occupation)};
      };
      const auto whole = off(4e-3), half = off(2e-3);
      for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(half[i], 0.27 * whole[i] + 1e-8) << rho << " " << t << " " << i;
      EXPECT_GT(std::abs(s.solution.electron_t), 1e-3) << rho << " " << t;
    }
  }
}

/// From cold thin gas to hot thin gas all atoms lose all electrons; what is not heat is the sum of the potentials.
/// Free electrons at 3e5 K have 1e-4 more energy than 3/2 p, being relativistic.
TEST(free_energy, ionization_energy) {
  const auto energy = [](const composition& of) {
    const free_energy gas(of, radiation::none);
    const gas_state hot = gas.at(1e-12, 3e5);
    EXPECT_NEAR((hot.energy - 1.5 * hot.pressure / 1e-12) / hot.ionization_energy, 1.0, 1e-3);
    EXPECT_LT(gas.at(1e-12, 1e3).ionization_energy, 1.0);
    return hot.ionization_energy;
  };
  const double per_gram = core::electron_volt / core::atomic_mass;
  EXPECT_NEAR(energy({1, 0, 0, 0}), 13.598434 / 1.00794 * per_gram, 1e-6 * 1.302e13);
  EXPECT_NEAR(energy({0, 1, 0, 0}), (24.587389 + 54.417765) / 4.002602 * per_gram, 1e-4 * 1.904e13);
  EXPECT_NEAR(energy({0.72, 0.28, 0, 0}), 1.470e13, 0.002e13);
}

/// Half of the dissociation energy of H2 belongs to each atom; at 1e3 K and 1e-8 g/cm^3 hydrogen is molecular, at
/// 3500 K and 1e-14 g/cm^3 atomic.
TEST(free_energy, molecules) {
  const free_energy gas({1, 0, 0, 0}, radiation::none, molecules::hydrogen);
  EXPECT_NEAR(gas.at(1e-8, 1e3).mean_weight, 2.01588, 1e-6);
  EXPECT_NEAR(gas.at(1e-14, 3500.0).mean_weight, 1.00794, 1e-3);
  EXPECT_NEAR(gas.at(1e-14, 3500.0).ionization_energy,
              0.5 * 4.47807 / 1.00794 * core::electron_volt / core::atomic_mass, 2e9);
}

/// The least Gamma1 where hydrogen is ionized, as the prototype of another language has it, with the printed digits.
TEST(free_energy, hydrogen_zone) {
  const free_energy gas({0.7, 0.28, 0.01, 0.01}, radiation::none), light(solar, radiation::included);
  const auto least = [](const free_energy& of, double rho) {
    double lowest = 2.0;
    eos::potentials start;
    for (int n = 0; n < 300; ++n) {
      const gas_state s = of.at(rho, std::pow(10.0, 3.5 + 1.5 * n / 299), start);
      start = s.solution;
      lowest = std::min(lowest, s.gamma1);
    }
    return lowest;
  };
  EXPECT_NEAR(least(gas, 1e-6), 1.196, 6e-4);
  EXPECT_NEAR(least(gas, 1e-8), 1.144, 6e-4);
  EXPECT_NEAR(least(gas, 1e-10), 1.112, 6e-4);
  EXPECT_NEAR(least(light, 1e-8), 1.143, 6e-4);
  EXPECT_NEAR(least(light, 1e-10), 1.032, 6e-4);
  EXPECT_NEAR(least(light, 1e-11), 0.850, 6e-4);
  EXPECT_NEAR(light.at(1e-11, 7500).gamma1, 0.850, 6e-4);
}

/// Limits: an ideal gas of neutral atoms, radiation, degenerate electrons.
TEST(free_energy, limits) {
  const free_energy dark(solar, radiation::none), light(solar, radiation::included);
  // Ionization of carbon is what is left at 1500 K; pressure ionization at 1e-8 g/cm^3.
  const gas_state cool = dark.at(1e-8, 1500.0);
  EXPECT_NEAR(cool.gamma1, 5.0 / 3.0, 1e-6);
  EXPECT_NEAR(cool.pressure, 1e-8 * core::boltzmann * 1500.0 / (cool.mean_weight * core::atomic_mass),
              1e-6 * cool.pressure);
  EXPECT_NEAR(cool.mean_weight, 1.0 / (0.7 / 1.00794 + 0.28 / 4.002602 + 0.01 / 12.0107 + 0.01 / 15.9994), 1e-6);
  const gas_state hot = light.at(1e-6, 3e7);
  EXPECT_NEAR(hot.gamma1, 4.0 / 3.0, 1e-4);
  EXPECT_NEAR(hot.pressure, core::radiation_constant * std::pow(3e7, 4) / 3.0, 1e-4 * hot.pressure);
  // Degenerate carbon: electrons at zero temperature, but for ions and the Coulomb-free ionization; less when denser.
  const free_energy carbon({0, 0, 1, 0}, radiation::none);
  const auto cold_gas = eos::white_dwarf::in(core::units{}, 12.0107 / 6.0, 1.0);
  EXPECT_NEAR(carbon.at(1e6, 1e6).pressure / cold_gas.cold(1e6).pressure, 1.0, 4e-4);
  EXPECT_NEAR(carbon.at(1e7, 1e6).pressure / cold_gas.cold(1e7).pressure, 1.0, 1e-4);
  EXPECT_NEAR(carbon.at(1e10, 1e7).gamma1, 4.0 / 3.0, 4e-3);
}

TEST(free_energy, bad_compositions) {
  EXPECT_THROW(free_energy({0.7, 0.2, 0, 0}, radiation::none), core::user_error);
  EXPECT_THROW(free_energy({1.1, -0.1, 0, 0}, radiation::none), core::user_error);
  EXPECT_THROW(free_energy({NAN, 0.3, 0.35, 0.35}, radiation::none), core::user_error);
}

}  // namespace
