// The table of the gas of stars: as good as what it was made of.
#include "eos/stellar.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "core/check.hpp"
#include "eos/gas.hpp"
#include "eos/stellar_table.hpp"
#include "hydro/dual_energy.hpp"
#include "stellar_boxes.hpp"

namespace {

using namespace rednova;
using eos::free_energy, eos::stellar, eos::stellar_parameters, eos::stellar_table;
using test::box, test::mixed, test::random_states, test::threads;

constexpr double gas_constant = core::boltzmann / core::atomic_mass;

/// Errors of many points in rising order.
class errors {
 public:
  void add(double found, double expected) { all_.push_back(std::abs(found / expected - 1.0)); }
  double most() const { return *std::ranges::max_element(all_); }
  double of_99_percent() {
    const auto at = all_.begin() + static_cast<std::ptrdiff_t>(all_.size() * 99 / 100);
    std::ranges::nth_element(all_, at);
    return *at;
  }

 private:
  std::vector<double> all_;
};

/// Where the table is steepest. Bounds: what is measured with 20000 points, rounded up; splines of fourth order in both
/// directions, of which that in the density, 10 nodes a decade, is the larger error.
TEST(stellar, accuracy_in_the_ionization_zones) {
  const stellar gas = box().view(core::units{});
  const free_energy exact(box().parameters().at(0.7), eos::radiation::included);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> log_rho(-10.0, -6.0), log_t(3.5, 5.0);
  errors p, gamma1, kelvin, gruneisen, weight;
  double entropy = 0, electrons = 0;
  for (int n = 0; n < 10000; ++n) {
    const double rho = std::pow(10.0, log_rho(random)), t = std::pow(10.0, log_t(random));
    const eos::gas_state s = exact.at(rho, t);
    const double e = rho * s.energy;
    if (!gas.holds(rho, e)) continue;
    const auto found = gas.pressure_gamma1(rho, e, 0.7);
    p.add(found.pressure, s.pressure);
    gamma1.add(found.gamma1, s.gamma1);
    kelvin.add(gas.temperature(rho, e, 0.7), t);
    gruneisen.add(gas.gruneisen(rho, e, 0.7), s.gruneisen);
    entropy = std::max(entropy, std::abs(gas.entropy(rho, e, 0.7) - s.entropy / gas_constant));
    const auto of = gas.particles(rho, e, 0.7);
    weight.add(of.mean_weight, s.mean_weight);
    electrons = std::max(electrons, std::abs(of.electrons - s.free_electrons));
    EXPECT_LE(s.gruneisen, gas.gruneisen_max());
  }
  EXPECT_LT(p.of_99_percent(), 3e-6);
  EXPECT_LT(p.most(), 1.25e-5);
  EXPECT_LT(gamma1.of_99_percent(), 2e-5);
  EXPECT_LT(gamma1.most(), 8.5e-5);
  EXPECT_LT(kelvin.of_99_percent(), 3e-6);
  EXPECT_LT(kelvin.most(), 1e-5);
  EXPECT_LT(gruneisen.of_99_percent(), 1e-4);
  EXPECT_LT(entropy, 3e-5);
  EXPECT_LT(weight.of_99_percent(), 1.5e-6);
  EXPECT_LT(weight.most(), 1.2e-5);
  EXPECT_LT(electrons, 1.8e-5);
}

/// Where helium is ionized by pressure all but suddenly, the largest errors of the whole table are. Bounds: what is
/// measured with these points, rounded up; the number of electrons is right to 7e-4, its slope, on which Gamma1
/// depends, is not.
TEST(stellar, accuracy_where_pressure_ionizes) {
  stellar_parameters of;
  of.hydrogen_tables = 1;
  of.hydrogen_min = of.hydrogen_max = 0.7;
  of.density_min = 0.7;
  of.density_split = 0.75;
  of.density_max = 1.5;
  of.energy_max = 16;
  const stellar_table made(of, threads());
  const stellar gas = made.view(core::units{});
  const free_energy exact(of.at(0.7), eos::radiation::included);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> log_rho(1.0, 1.3), part(0, 1);
  errors p, gamma1, kelvin;
  double electrons = 0;
  for (int n = 0; n < 4000; ++n) {
    const double rho = std::pow(10.0, log_rho(random)), cold = eos::coldest_temperature(rho);
    const double t = cold * std::pow(1e5 / cold, part(random));
    const eos::gas_state s = exact.at(rho, t);
    const double e = rho * s.energy;
    const auto found = gas.pressure_gamma1(rho, e, 0.7);
    p.add(found.pressure, s.pressure);
    gamma1.add(found.gamma1, s.gamma1);
    kelvin.add(gas.temperature(rho, e, 0.7), t);
    electrons = std::max(electrons, std::abs(gas.particles(rho, e, 0.7).electrons - s.free_electrons));
  }
  EXPECT_LT(p.of_99_percent(), 5.5e-3);
  EXPECT_LT(p.most(), 1.1e-2);
  EXPECT_LT(gamma1.of_99_percent(), 0.2);
  EXPECT_LT(gamma1.most(), 0.32);
  EXPECT_LT(kelvin.most(), 7.5e-3);
  EXPECT_LT(electrons, 7.5e-4);
}

/// Errors of a table against the free energy that it is made of, at its own temperatures.
struct against_free_energy {
  errors p, gamma1, weight;
  double electrons = 0;

  void add(const stellar& gas, const free_energy& exact, double rho, double e, double x) {
    const eos::gas_state s = exact.at(rho, gas.temperature(rho, e, x));
    const auto found = gas.pressure_gamma1(rho, e, x);
    // At the table's temperature the energy is a little another one: dp = gruneisen de.
    p.add(found.pressure, s.pressure + s.gruneisen * (e - rho * s.energy));
    gamma1.add(found.gamma1, s.gamma1);
    const auto of = gas.particles(rho, e, x);
    weight.add(of.mean_weight, s.mean_weight);
    electrons = std::max(electrons, std::abs(of.electrons - s.free_electrons));
  }
};

/// Parabolas in the root of the fraction of hydrogen, from 0.485 to 0.7, at equal temperature: bounds as measured.
TEST(stellar, accuracy_between_compositions) {
  const stellar gas = mixed().view(core::units{});
  random_states states(mixed().parameters());
  against_free_energy off;
  for (int n = 0; n < 3000; ++n) {
    const auto [rho, e, x] = states.next();
    off.add(gas, free_energy(mixed().parameters().at(x), eos::radiation::included), rho, e, x);
  }
  EXPECT_LT(off.p.of_99_percent(), 5e-5);
  EXPECT_LT(off.p.most(), 1e-4);
  EXPECT_LT(off.gamma1.of_99_percent(), 5.5e-4);
  EXPECT_LT(off.gamma1.most(), 7e-4);
  EXPECT_LT(off.weight.most(), 4e-5);
  EXPECT_LT(off.electrons, 4e-5);
}

/// Little hydrogen, from which the first electrons of cool gas come as the root of its fraction: tables from none to
/// 0.176, as far apart as whole tables have them. Bounds: what is measured with these points, rounded up. Where
/// parabolas were in the fraction itself, through tables 0.0875 apart, p was off by 3 % (99 %) and Gamma1 by 11 %.
TEST(stellar, accuracy_with_little_hydrogen) {
  stellar_parameters of;
  of.hydrogen_tables = 7;
  of.hydrogen_max = 0.42 * 0.42;
  of.density_min = -9;
  of.density_split = -7;
  of.density_max = -6.9;
  of.energy_min = 11.2;
  of.energy_max = 14.4;
  of.dense_rows = of.dense_columns = 4;  // not used
  const stellar_table made(of, threads());
  const stellar gas = made.view(core::units{});
  std::mt19937 random(11);
  std::uniform_real_distribution<double> log_rho(-8.7, -7.1), log_t(3.6, 5.0), hydrogen(0, of.hydrogen_max);
  against_free_energy off;
  for (int n = 0; n < 3000; ++n) {
    const double rho = std::pow(10.0, log_rho(random)), x = hydrogen(random);
    const free_energy exact(of.at(x), eos::radiation::included);
    const double e = rho * exact.at(rho, std::pow(10.0, log_t(random))).energy;
    if (!gas.holds(rho, e)) continue;
    off.add(gas, exact, rho, e, x);
  }
  EXPECT_LT(off.p.of_99_percent(), 3e-3);
  EXPECT_LT(off.p.most(), 1.1e-2);
  EXPECT_LT(off.gamma1.of_99_percent(), 1e-2);
  EXPECT_LT(off.gamma1.most(), 3e-2);
  EXPECT_LT(off.weight.of_99_percent(), 6e-4);
  EXPECT_LT(off.electrons, 3.5e-4);
}

/// Neutral and cold: nuclei alone, to rounding, but for molecules.
TEST(stellar, particles_of_neutral_gas) {
  const stellar gas = mixed().view(core::units{});
  for (const double x : {0.485, 0.55, 0.7}) {
    const auto of = gas.particles(1e-8, 1e-8 * std::pow(10.0, 11.25), x);
    const double nuclei = x / 1.00794 + (0.98 - x) / 4.002602 + 0.01 / 12.0107 + 0.01 / 15.9994;
    EXPECT_NEAR(of.mean_weight * (nuclei + of.electrons), 1.0, 1e-14);
    EXPECT_LT(of.electrons, 1e-9);
  }
}

/// Half of the mass of hydrogen and more is in molecules below 2500 K or so.
TEST(stellar, particles_with_molecules) {
  stellar_parameters of = mixed().parameters();
  of.hydrogen_tables = 1;
  of.hydrogen_min = of.hydrogen_max = 0.7;
  of.energy_min = 10.5;
  of.with_molecules = eos::molecules::hydrogen;
  const stellar_table made(of, threads());
  const stellar gas = made.view(core::units{});
  const free_energy exact(of.at(0.7), eos::radiation::included, eos::molecules::hydrogen);
  double least = 2, most = 0, worst = 0;
  for (double t = 1200; t < 2e4; t *= 1.03) {
    const double rho = 2e-8;
    const eos::gas_state s = exact.at(rho, t);
    const double found = gas.particles(rho, rho * s.energy, 0.7).mean_weight;
    worst = std::max(worst, std::abs(found / s.mean_weight - 1));
    least = std::min(least, found);
    most = std::max(most, found);
  }
  EXPECT_LT(worst, 3e-6);
  EXPECT_LT(least, 0.8);
  EXPECT_GT(most, 2.3);
}

/// What a state says of an energy does not depend on what it was asked before, on a table and between two.
TEST(stellar, states_forget_what_they_were_asked) {
  eos::stellar_gas gas;
  gas.table = mixed().view(core::units{});
  random_states states(mixed().parameters());
  for (int n = 0; n < 200; ++n) {
    const auto [rho, e, x] = states.next();
    for (const double hydrogen : {x, 0.7}) {
      const auto asked = gas.at(rho, hydrogen);
      (void)asked.entropy_tracer(2 * e);
      EXPECT_EQ(asked.pressure(e), gas.at(rho, hydrogen).pressure(e));
      EXPECT_EQ(asked.entropy_tracer(e), gas.at(rho, hydrogen).entropy_tracer(e));
    }
  }
}

/// Where less than a quarter of the energy is heat, there is at least half of what the tracer says.
TEST(stellar, heat_is_at_least_half_of_the_tracer_s) {
  eos::stellar_gas of;
  of.table = mixed().view(core::units{});
  const double rho = 1e-6, e = rho * 1e13;
  const auto gas = of.at(rho, 0.7);
  const double heat = gas.heat(e), tau = gas.entropy_tracer(gas.energy_of_heat(4 * heat));
  const auto found = [&](double of_energy) {
    return gas.heat(hydro::internal_energy(gas, e / of_energy, e / of_energy - e, tau, 1e-3));
  };
  EXPECT_NEAR(found(0.2) / heat, 2, 1e-5);
  EXPECT_NEAR(found(0.3) / heat, 1, 1e-12);
}

/// A cell's composition is the mean by mass over its species.
TEST(stellar, particles_of_mixed_species) {
  eos::stellar_gas of;
  of.table = mixed().view(core::units{});
  of.species = 3;
  of.hydrogen_of[0] = 0.485;
  of.hydrogen_of[1] = 0.7;
  of.hydrogen_of[2] = 0.6;
  eos::gas gas;
  gas.model = config::gas_model::stellar;
  gas.star = of;
  const std::array<double, 3> rho{2e-8, 1e-8, 2e-8};
  const double x = gas.hydrogen(rho.data(), 1), density = 5e-8;
  EXPECT_NEAR(x, 0.4 * 0.485 + 0.2 * 0.7 + 0.4 * 0.6, 1e-15);
  const free_energy exact(mixed().parameters().at(x), eos::radiation::included);
  const eos::gas_state s = exact.at(density, 1.3e4);  // half ionized
  const auto found = gas.particles(density, density * s.energy, x);
  EXPECT_NEAR(found.mean_weight, s.mean_weight, 2e-5);
  EXPECT_NEAR(found.electrons, s.free_electrons, 2e-5);
  EXPECT_GT(found.electrons, 0.2);
  EXPECT_LT(found.electrons, 0.6);
}

/// At the fraction of a table nothing is mixed, and beyond the last one that one is taken.
TEST(stellar, compositions_of_tables) {
  const stellar gas = mixed().view(core::units{}), one = box().view(core::units{});
  random_states states(mixed().parameters());
  for (int n = 0; n < 200; ++n) {
    const auto [rho, e, x] = states.next();
    const double p = gas.pressure_gamma1(rho, e, 0.7).pressure;
    EXPECT_EQ(gas.pressure_gamma1(rho, e, 0.75).pressure, p);
    // The other table has other nodes.
    EXPECT_NEAR(p / one.pressure_gamma1(rho, e, 0.7).pressure, 1.0, 2e-5);
    EXPECT_NEAR(gas.pressure_gamma1(rho, e, 0.7 - 1e-7).pressure / p, 1.0, 1e-6);
  }
}

/// Where the denser nodes begin both tables are as good as they are.
TEST(stellar, parts_meet) {
  const stellar gas = mixed().view(core::units{});
  const double rho = std::pow(10.0, mixed().parameters().density_split);
  for (double y = 11.5; y < 14.2; y += 0.1) {
    const double below = rho * (1 - 1e-12), e = rho * std::pow(10.0, y);
    const auto a = gas.pressure_gamma1(below, e, 0.7), b = gas.pressure_gamma1(rho, e, 0.7);
    EXPECT_NEAR(a.pressure / b.pressure, 1.0, 1.5e-5) << y;
    EXPECT_NEAR(a.gamma1 / b.gamma1, 1.0, 1e-4) << y;
  }
}

/// A pack's lanes are the doubles' results, to the bit, also where only some lanes are mixtures.
TEST(stellar, packs) {
  const stellar gas = mixed().view(core::units{});
  random_states states(mixed().parameters());
  for (int n = 0; n < 200; ++n) {
    exec::pack rho, e, x;
    for (std::size_t i = 0; i < exec::pack::size(); ++i) {
      const auto s = states.next();
      rho[i] = s.rho;
      e[i] = s.e;
      x[i] = n % 2 == 0 || i % 3 == 0 ? mixed().parameters().hydrogen_of(1) : s.x;
    }
    const auto now = gas.pressure_gamma1(rho, e, x);
    const auto s = gas.entropy(rho, e, x), t = gas.temperature(rho, e, x);
    const auto of = gas.particles(rho, e, x);
    const auto by_p = gas.energy_from_pressure(rho, now.pressure, x), by_s = gas.energy_from_entropy(rho, s, x);
    for (std::size_t i = 0; i < exec::pack::size(); ++i) {
      const double r = rho[i], h = e[i], f = x[i];
      const auto one = gas.pressure_gamma1(r, h, f);
      EXPECT_EQ(double(now.pressure[i]), one.pressure);
      EXPECT_EQ(double(now.gamma1[i]), one.gamma1);
      EXPECT_EQ(double(s[i]), gas.entropy(r, h, f));
      EXPECT_EQ(double(t[i]), gas.temperature(r, h, f));
      EXPECT_EQ(double(of.mean_weight[i]), gas.particles(r, h, f).mean_weight);
      EXPECT_EQ(double(of.electrons[i]), gas.particles(r, h, f).electrons);
      EXPECT_EQ(double(by_p[i]), gas.energy_from_pressure(r, one.pressure, f));
      EXPECT_EQ(double(by_s[i]), gas.energy_from_entropy(r, double(s[i]), f));
    }
  }
}

/// Colder than the table: an ideal gas, with p and T proportional to the energy.
TEST(stellar, cold_gas) {
  const stellar gas = box().view(core::units{});
  const double rho = 1e-7, e = rho * std::pow(10.0, 10.7);
  ASSERT_TRUE(gas.holds(rho, e));
  EXPECT_NEAR(gas.pressure_gamma1(rho, e, 0.7).pressure / e, 2.0 / 3.0, 1e-3);
  EXPECT_NEAR(gas.pressure_gamma1(rho, 0.1 * e, 0.7).pressure / (0.1 * e), 2.0 / 3.0, 1e-3);
  EXPECT_NEAR(gas.temperature(rho, 0.1 * e, 0.7) / gas.temperature(rho, e, 0.7), 0.1, 1e-3);
  EXPECT_GT(gas.pressure_gamma1(rho, -e, 0.7).gamma1, 1.0);
}

TEST(stellar, code_units) {
  const auto u = core::units::self_gravitating(core::solar_radius, core::solar_mass);
  const stellar cgs = box().view(core::units{}), solar = box().view(u);
  const double rho = 1e-7, e = rho * 5e12, r = rho / u.density(), h = e / u.pressure();
  const double p = cgs.pressure_gamma1(rho, e, 0.7).pressure, s = cgs.entropy(rho, e, 0.7);
  EXPECT_NEAR(solar.pressure_gamma1(r, h, 0.7).pressure * u.pressure() / p, 1.0, 1e-12);
  EXPECT_NEAR(solar.temperature(r, h, 0.7) / cgs.temperature(rho, e, 0.7), 1.0, 1e-12);
  EXPECT_NEAR(solar.energy_from_pressure(r, p / u.pressure(), 0.7) / h, 1.0, 1e-11);
  EXPECT_NEAR(solar.energy_from_entropy(r, s, 0.7) / h, 1.0, 1e-10);
}

TEST(stellar, outside) {
  const auto u = core::units::self_gravitating(core::solar_radius, core::solar_mass);
  const stellar gas = box().view(u);
  const double rho = 1e-7 / u.density(), e = rho * 5e12 / gas.energy_unit;
  EXPECT_NO_THROW(eos::require_in_table(gas, u, rho, e, "cell"));
  EXPECT_FALSE(gas.holds(1e-12 / u.density(), e));
  EXPECT_FALSE(gas.holds(1e-3 / u.density(), e));
  EXPECT_FALSE(gas.holds(rho, std::nan("")));
  const auto hot = [&] { eos::require_in_table(gas, u, rho, 1e3 * e, "block 7, cell (1, 2, 3)"); };
  using ::testing::AllOf, ::testing::HasSubstr, ::testing::ThrowsMessage;
  EXPECT_THAT(hot, ThrowsMessage<core::user_error>(
                       AllOf(HasSubstr("block 7, cell (1, 2, 3)"), HasSubstr("1e-07"), HasSubstr("5e+15"))));
}

TEST(stellar, bad_parameters) {
  const auto made = [](auto change) {
    stellar_parameters p;
    change(p);
    return [p] { p.check(); };
  };
  EXPECT_NO_THROW(made([](stellar_parameters&) {})());
  EXPECT_THROW(made([](auto& p) { p.hydrogen_tables = 2; })(), core::user_error);
  EXPECT_THROW(made([](auto& p) { p.hydrogen_max = 0.99; })(), core::user_error);
  EXPECT_THROW(made([](auto& p) { p.carbon = -0.1; })(), core::user_error);
  EXPECT_THROW(made([](auto& p) { p.density_split = 9; })(), core::user_error);
  EXPECT_THROW(made([](auto& p) { p.energy_max = 21; })(), core::user_error);
  EXPECT_THROW(made([](auto& p) { p.dense_rows = 1; })(), core::user_error);
  EXPECT_THROW(made([](auto& p) { p.oxygen = NAN; })(), core::user_error);
}

/// The same bits on one thread and on two.
TEST(stellar, threads_do_not_matter) {
  stellar_parameters p = mixed().parameters();
  p.thin_columns = p.dense_columns = p.dense_rows = 8;
  exec::context one(1);
  EXPECT_EQ(stellar_table(p, one).coefficients(), stellar_table(p, threads()).coefficients());
}

}  // namespace
