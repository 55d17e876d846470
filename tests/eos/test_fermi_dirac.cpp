// Free electrons: derivatives, limits, and the identities between number, pressure and energy.
#include "eos/fermi_dirac.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/constants.hpp"
#include "eos/ionization.hpp"
#include "eos/white_dwarf.hpp"

namespace {

using namespace rednova;
using eos::dual, eos::fermi_dirac, eos::positrons;

constexpr double rest = core::electron_mass * core::light_speed * core::light_speed;

TEST(dual, derivatives) {
  const auto x = dual<2>::variable(0.7, 0), y = dual<2>::variable(1.3, 1);
  const auto f = exp(x * y) / (1.0 + sqrt(y)) - log(x) * expm1(-x);
  const double e = std::exp(0.91), r = std::sqrt(1.3), q = std::exp(-0.7);
  EXPECT_NEAR(f.value, e / (1 + r) + std::log(0.7) * (1 - q), 1e-15);
  EXPECT_NEAR(f.slopes[0], 1.3 * e / (1 + r) - (q - 1) / 0.7 + std::log(0.7) * q, 1e-15);
  EXPECT_NEAR(f.slopes[1], 0.7 * e / (1 + r) - e / ((1 + r) * (1 + r)) * 0.5 / r, 1e-15);
}

TEST(dual, occupation) {
  for (const double t : {-800.0, -3.0, 0.0, 2.0, 800.0}) {
    const auto f = eos::fermi_occupation(dual<2>::variable(t, 0));
    EXPECT_EQ(f.value, eos::fermi_occupation(t));
    EXPECT_NEAR(f.value, 0.5 - 0.5 * std::tanh(0.5 * t), 3e-16);
    EXPECT_NEAR(f.slopes[0], -f.value * (1.0 - f.value), 3e-16);
  }
}

/// dp/dmu = n at constant T; d(p/T)/d(1/T) at constant eta is -e. The rules of 20 points are good to 1e-12 in these.
TEST(fermi_dirac, identities) {
  for (const double beta : {1e-6, 1e-3, 0.1, 1.0, 30.0}) {
    for (const double eta : {-30.0, -3.0, 0.0, 2.0, 10.0, 100.0, 1e4}) {
      const auto g = fermi_dirac(dual<2>::variable(eta, 0), dual<2>::variable(beta, 1), positrons::none);
      EXPECT_NEAR(g.pressure.slopes[0] / (beta * rest * g.number.value), 1.0, 1e-11) << beta << " " << eta;
      // With p = p(eta, beta): e = beta dp/dbeta - p.
      const double e = beta * g.pressure.slopes[1] - g.pressure.value;
      EXPECT_NEAR(e / g.energy.value, 1.0, 1e-11) << beta << " " << eta;
    }
  }
}

/// The same with positrons, at constant potential with rest mass: e with all rest mass is beta dp/dbeta - p. Where the
/// potential is small, dp/dmu is a difference of electrons and positrons: rounding of exp(100) over 0.01 is 1e-12.
TEST(fermi_dirac, identities_with_positrons) {
  for (const double beta : {0.01, 0.1, 1.0, 30.0}) {
    for (const double d : {0.01, 0.1, 3.0, 100.0, 1e3}) {
      const auto g = fermi_dirac(dual<2>::variable(d, 0), dual<2>::variable(beta, 1), positrons::included);
      EXPECT_NEAR(g.pressure.slopes[0] / (beta * rest * g.number.value), 1.0, 1e-11) << beta << " " << d;
      const double e = beta * g.pressure.slopes[1] - g.pressure.value;
      EXPECT_NEAR(e / (g.energy.value + rest * g.number.value), 1.0, 1e-11) << beta << " " << d;
    }
  }
}

/// The number alone is the same sum with the same slope; two ways to differentiate differ by rounding of what cancels.
TEST(fermi_dirac, number_alone) {
  for (const double beta : {1e-6, 0.01, 1.0, 30.0}) {
    for (const double eta : {-3.0, 0.1, 3.0, 100.0, 1e4}) {
      for (const auto kind : {positrons::none, positrons::included}) {
        const double potential = kind == positrons::none ? eta : eta + 1.0 / beta;
        const auto all = fermi_dirac(dual<2>::variable(potential, 0), dual<2>(beta), kind);
        const auto alone = eos::electron_number(potential, beta, kind);
        EXPECT_NEAR(alone.value / all.number.value, 1.0, 1e-15) << beta << " " << eta;
        EXPECT_NEAR(alone.slopes[0] / all.number.slopes[0], 1.0, 1e-14) << beta << " " << eta;
      }
    }
  }
}

/// Thin and cold: p = n k T and e = 3/2 p, but for terms of exp(eta) 2^(-5/2) and of beta.
TEST(fermi_dirac, ideal_gas) {
  const double beta = 1e-8, eta = -30.0;
  const auto g = fermi_dirac(eta, beta, positrons::none);
  EXPECT_NEAR(g.pressure / (g.number * beta * rest), 1.0, 1e-13);
  EXPECT_NEAR(g.energy / g.pressure, 1.5, 3.0 * beta);
}

/// Cold: the gas of Chandrasekhar, but for terms of (pi² / eta²), here 1e-9.
TEST(fermi_dirac, degenerate) {
  const auto cold_gas = eos::white_dwarf::in(core::units{}, 1.0, 1.0);
  const double beta = 1e-5;
  for (const double eta : {1e5, 1e6}) {
    const auto g = fermi_dirac(eta, beta, positrons::none);
    const auto c = cold_gas.cold(g.number * core::atomic_mass);
    EXPECT_NEAR(g.pressure / c.pressure, 1.0, 3.0 * core::pi * core::pi / (eta * eta));
    EXPECT_NEAR(g.energy / c.energy, 1.0, 3.0 * core::pi * core::pi / (eta * eta));
  }
}

/// Where positrons begin to be included, nothing jumps: gas of 1e-15 to 1e6 g/cm^3 has these eta at 5e7 K.
TEST(fermi_dirac, positrons_begin_smoothly) {
  const double beta = eos::rest_temperature(5e7);
  for (const double eta : {-41.0, -20.0, 0.0, 40.0}) {
    const auto without = fermi_dirac(eta, beta, positrons::none);
    const auto with = fermi_dirac(eta + 1.0 / beta, beta, positrons::included);
    // eta is a difference of numbers of 1/beta = 119, with a rounding of 1e-14.
    EXPECT_NEAR(with.number / without.number, 1.0, 1e-13) << eta;
    EXPECT_NEAR(with.pressure / without.pressure, 1.0, 1e-13) << eta;
    EXPECT_NEAR(with.energy / without.energy, 1.0, 1e-13) << eta;
  }
  EXPECT_EQ(eos::kind_at(std::log(5.001e7)), positrons::included);
  EXPECT_EQ(eos::kind_at(std::log(4.999e7)), positrons::none);
}

/// Very hot pairs are 7/4 as much as radiation: p = (7 pi² / 180) (k T)^4 / (hbar c)³.
TEST(fermi_dirac, hot_pairs) {
  const double beta = 1e3, kt = beta * rest;
  const double hbar_c = core::planck * core::light_speed / (2.0 * core::pi);
  const auto g = fermi_dirac(1e-9, beta, positrons::included);
  const double p = 7.0 * core::pi * core::pi / 180.0 * std::pow(kt, 4) / std::pow(hbar_c, 3);
  EXPECT_NEAR(g.pressure / p, 1.0, 1.0 / (beta * beta));
  EXPECT_NEAR(g.energy / g.pressure, 3.0, 3.0 / (beta * beta));
}

}  // namespace
