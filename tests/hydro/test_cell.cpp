// What is done to single cells: primitive variables and back, dual energy, floors.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "eos/ideal_gas.hpp"
#include "eos/white_dwarf.hpp"
#include "hydro/dual_energy.hpp"
#include "hydro/floors.hpp"
#include "hydro/primitives.hpp"

namespace {

using namespace rednova;
const eos::ideal_gas gas{5.0 / 3.0};

/// One cell's conserved fields (stride 1) from density, velocity and internal energy.
std::array<double, 10> cell(double rho, core::vec3d v, double e) {
  return {0.25 * rho, 0.75 * rho, rho * v.x, rho * v.y, rho * v.z, e + rho * dot(v, v) / 2, gas.tracer_of_heat(e),
          0,          0,          0};
}

TEST(primitives, round_trip) {
  const mesh::fields f(2);
  const core::vec3d v{0.3, -2, 0.7};
  for (const double rho : {1e-12, 1.0, 1e5})
    for (const double e : {0.1, 10.0}) {
      const auto u = cell(rho, v, rho * e);
      const auto g = hydro::gas_from_conserved<double>(u.data(), 1, f, 1e-3, gas);
      // e is a difference of terms up to 25 times as large.
      EXPECT_DOUBLE_EQ(g.rho, rho);
      for (int d = 0; d < 3; ++d) EXPECT_NEAR(g.v[d], v[d], 1e-15 * 4);
      EXPECT_NEAR(g.p, gas.at(rho).pressure(rho * e), 1e-14 * rho * e);
    }
}

/// A stream of Mach 1e5: E - rho v²/2 has lost all digits, the tracer knows.
TEST(dual_energy, cold_stream_takes_the_tracer) {
  const mesh::fields f(2);
  auto u = cell(1, {1e5, 0, 0}, 1e-7);
  const auto g = hydro::gas_from_conserved<double>(u.data(), 1, f, 1e-3, gas);
  EXPECT_NEAR(g.p, gas.at(1.0).pressure(1e-7), 1e-7 * 1e-14);
  u[5] = 0.4 * 1e10;  // E below rho v²/2
  EXPECT_NEAR(hydro::gas_from_conserved<double>(u.data(), 1, f, 1e-3, gas).p, gas.at(1.0).pressure(1e-7), 1e-7 * 1e-14);
}

TEST(dual_energy, lanes_choose_for_themselves) {
  using exec::pack;
  const pack energy([](auto i) { return i % 2 == 0 ? 2.0 : 1.0 + 1e-5; });
  const pack e = hydro::internal_energy(gas.at(pack(1.0)), energy, pack(1.0), pack(gas.tracer_of_heat(1.5)), 1e-3);
  for (std::size_t i = 0; i < pack::size(); ++i) EXPECT_NEAR(e[i], i % 2 == 0 ? 1.0 : 1.5, 1e-14);
}

// Heat is at least half of the tracer's, also where it is most of E; a shock's, more than the tracer's, stays.
TEST(dual_energy, heat_is_at_least_half_of_the_tracer_s) {
  const auto heat = [](double of_energy, double of_tracer) {
    return hydro::internal_energy(gas.at(1.0), 1.0, 1.0 - of_energy, gas.tracer_of_heat(of_tracer), 1e-3);
  };
  EXPECT_NEAR(heat(0.1, 0.4), 0.2, 1e-15);
  EXPECT_NEAR(heat(0.1, 0.15), 0.1, 1e-15);
  EXPECT_NEAR(heat(0.1, 0.01), 0.1, 1e-15);
  EXPECT_NEAR(heat(0.3, 2.0), 1.0, 1e-15);
  EXPECT_NEAR(heat(1.0, 4.0), 2.0, 1e-15);
  EXPECT_EQ(heat(1.0, 1.5), 1.0);
}

/// What says at little cost where the tracer's power is needed misses nothing, and asks for it nowhere where tracer and
/// energy are of one mind.
TEST(dual_energy, power_of_the_tracer_is_taken_where_it_is_needed) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-150, 150), ratio(-2, 2);
  for (const double gamma : {1.1, 1.4, 5.0 / 3, 2.0, 3.0}) {
    const auto here = eos::ideal_gas{gamma}.at(1.0);
    EXPECT_TRUE(here.may_be_colder(0.0, 1e-30, 1.0));
    EXPECT_TRUE(here.may_be_colder(-1.0, 1.0, 1.0));
    for (int n = 0; n < 20000; ++n) {
      const double e = std::exp2(exponent(random)), more = std::exp2(ratio(random));
      if (more > 2) {
        ASSERT_TRUE(here.may_be_colder(e, std::pow(e * more, 1 / gamma), e)) << gamma << ' ' << e << ' ' << more;
      }
      ASSERT_FALSE(here.may_be_colder(e, std::pow(e, 1 / gamma), e)) << gamma << ' ' << e;
    }
  }
}

TEST(dual_energy, tracer_follows_only_sound_heat) {
  const double tau = 0.1;
  EXPECT_EQ(hydro::synchronised_tracer(gas.at(1.0), 2.0, 1.0, tau, 2.0, 0.1), gas.tracer_of_heat(1.0));
  EXPECT_EQ(hydro::synchronised_tracer(gas.at(1.0), 2.0, 1.0, tau, 11.0, 0.1), tau);  // a far hotter neighbour
  EXPECT_EQ(hydro::synchronised_tracer(gas.at(1.0), 2.0, 2.5, tau, 2.0, 0.1), tau);   // no heat left in E
}

TEST(floors, species_keep_their_sum_or_rise_to_the_floor) {
  std::array<double, 3> rho{0.5, -0.1, 0.2}, added{};
  hydro::floor_species(rho.data(), 3, 1, 1e-10, added.data());
  EXPECT_NEAR(rho[0] + rho[1] + rho[2], 0.6, 3e-16);
  EXPECT_EQ(rho[1], 0.0);
  EXPECT_NEAR(rho[0] / rho[2], 2.5, 1e-15);
  EXPECT_NEAR(added[0] + added[1] + added[2], 0.0, 3e-16);

  rho = {1e-12, 0, 3e-12};
  hydro::floor_species(rho.data(), 3, 1, 1e-10, added.data());
  EXPECT_NEAR(rho[0], 0.25e-10, 1e-25);
  EXPECT_NEAR(rho[2], 0.75e-10, 1e-25);
  EXPECT_NEAR(added[2], 0.75e-10 - 3e-12, 1e-25);

  rho = {-1e-3, -1, 0};
  hydro::floor_species(rho.data(), 3, 1, 1e-10, added.data());
  EXPECT_EQ(rho[2], 1e-10);
  EXPECT_NEAR(added[0] + added[1] + added[2], 1.001 + 1e-10, 1e-15);
}

TEST(floors, heat_rises_where_it_is_read_from) {
  config::hydro par;
  par.energy_floor = 1e-4;
  const hydro::floor_limits limits(par, gas);
  // From E: raised by what is missing.
  const auto a = hydro::limit_energy(1.0, 2e-5, 1e-5, 0.0, limits, gas.at(1.0));
  EXPECT_NEAR(a.added, 1e-4 - 1e-5, 1e-18);
  EXPECT_NEAR(a.energy, 2e-5 + a.added, 1e-18);
  EXPECT_GE(a.tracer, limits.tracer);
  // From the tracer: E stays.
  const auto b = hydro::limit_energy(1.0, 1.0, 1.1, 0.0, limits, gas.at(1.0));
  EXPECT_EQ(b.added, 0.0);
  EXPECT_EQ(b.energy, 1.0);
  EXPECT_EQ(b.tracer, limits.tracer);
  // Nothing to do.
  const auto c = hydro::limit_energy(1.0, 1.0, 0.5, 0.7, limits, gas.at(1.0));
  EXPECT_EQ(c.added, 0.0);
  EXPECT_EQ(c.tracer, 0.7);
}

TEST(floors, heat_is_held_below_the_ceiling) {
  config::hydro par;
  par.specific_energy_ceiling = 2;
  par.thin_gas_density = 2e-3;
  const hydro::floor_limits limits(par, gas);
  const double rho = 1e-3, kinetic = 5e-4;
  const auto hot = hydro::limit_energy(rho, kinetic + 5e-3, kinetic, 1.0, limits, gas.at(rho));
  EXPECT_DOUBLE_EQ(hot.energy, kinetic + 2e-3);
  EXPECT_DOUBLE_EQ(hot.added, -3e-3);
  EXPECT_DOUBLE_EQ(hot.tracer, gas.tracer_of_heat(2e-3));
  EXPECT_FALSE(hydro::within_limits(rho, 0.0, kinetic + 5e-3, kinetic, 1.0, limits));
  EXPECT_TRUE(hydro::within_limits(rho, 0.0, kinetic + 2e-3, kinetic, 1.0, limits));
}

/// Limits where the heat always comes from E.
hydro::floor_limits floor_limits_without_tracer(config::hydro par) {
  par.dual_energy_pressure = 0;
  return {par, gas};
}

// A star's interior and the shocks in it may be as hot as they are; only the floors hold there.
TEST(floors, the_ceiling_leaves_dense_gas_alone) {
  config::hydro par;
  par.specific_energy_ceiling = 2;
  par.thin_gas_density = 2e-3;
  par.energy_floor = 1e-4;
  const hydro::floor_limits limits(par, gas);
  for (const double rho : {2e-3, 1.0}) {
    const double kinetic = 0.5 * rho, hot = kinetic + 5 * rho;
    const auto kept = hydro::limit_energy(rho, hot, kinetic, 0.7, limits, gas.at(rho));
    EXPECT_EQ(kept.energy, hot);
    EXPECT_EQ(kept.added, 0.0);
    EXPECT_EQ(kept.tracer, 0.7);
    EXPECT_TRUE(hydro::within_limits(rho, 0.0, hot, kinetic, 0.7, limits));
  }
  const auto cold =
      hydro::limit_energy(1.0, 0.5 + 2e-3 * 0.02, 0.5, 0.7, floor_limits_without_tracer(par), gas.at(1.0));
  EXPECT_DOUBLE_EQ(cold.energy, 0.5 + 1e-4);
  // Just below the density it holds, and the atmosphere's own energy floor is not undercut.
  EXPECT_FALSE(hydro::within_limits(1.99e-3, 0.0, 5 * 1.99e-3, 0.0, 0.7, limits));
  const auto thin = hydro::limit_energy(1e-6, 1e-3, 0.0, 0.7, limits, gas.at(1e-6));
  EXPECT_DOUBLE_EQ(thin.energy, 1e-4);
}

TEST(floors, mask_tells_which_cells_need_them) {
  config::hydro par;
  par.density_floor = 1e-6;
  par.energy_floor = 1e-4;
  const hydro::floor_limits limits(par, gas);
  EXPECT_TRUE(hydro::within_limits(1.0, 0.0, 1.0, 0.5, 1.0, limits));
  EXPECT_FALSE(hydro::within_limits(1e-7, 0.0, 1.0, 0.5, 1.0, limits));
  EXPECT_FALSE(hydro::within_limits(1.0, -1e-9, 1.0, 0.5, 1.0, limits));
  EXPECT_FALSE(hydro::within_limits(1.0, 0.0, 2e-5, 1e-5, 1.0, limits));
  EXPECT_FALSE(hydro::within_limits(1.0, 0.0, 1.0, 0.5, 0.0, limits));
  EXPECT_FALSE(hydro::within_limits(std::numeric_limits<double>::quiet_NaN(), 0.0, 1.0, 0.5, 1.0, limits));
}

/// Degenerate gas: what within_limits lets pass limit_energy leaves alone, in random states: hot, cold, below the cold
/// curve, thin; and what it raises or lowers is within the limits afterwards.
TEST(floors, of_degenerate_gas_agree) {
  config::hydro par;
  par.density_floor = 1e-3;
  par.energy_floor = 1e-4;
  par.specific_energy_ceiling = 2;
  par.thin_gas_density = 0.1;
  const eos::white_dwarf dwarf{5.0 / 3, 0.05, 1.5, 1.0};
  const hydro::floor_limits limits(par, dwarf);
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> exponent(-3, 1), share(-0.2, 1);
  int passed = 0, changed = 0;
  for (int n = 0; n < 100000; ++n) {
    const double rho = std::pow(10, exponent(generator)), kinetic = rho * std::pow(10, exponent(generator));
    const double cold = dwarf.cold(rho).energy, x = share(generator);
    const double heat = n % 3 == 0 ? x * cold : n % 3 == 1 ? 1e-3 * x * cold : x * 5 * rho;
    const double energy = kinetic + cold + heat, tau = std::pow(10, exponent(generator)) * 0.01;
    const auto r = hydro::limit_energy(rho, energy, kinetic, tau, limits, dwarf.at(rho));
    if (hydro::within_limits(rho, 0.0, energy, kinetic, tau, limits)) {
      ++passed;
      ASSERT_EQ(r.energy, energy);
      ASSERT_EQ(r.tracer, tau);
      ASSERT_EQ(r.added, 0.0);
    }
    if (r.added == 0) continue;
    ++changed;
    const double after = dwarf.at(rho).heat(r.energy - kinetic);
    ASSERT_GE(after, limits.energy * (1 - 1e-10) - 1e-14 * r.energy);
    if (rho < limits.thin) {
      ASSERT_LE(after, std::max(limits.energy, limits.heat * rho) + 1e-14 * r.energy);
    }
  }
  EXPECT_GT(passed, 10000);
  EXPECT_GT(changed, 5000);
}

/// Heat below the share is the tracer's, also below the cold curve; above it E's.
TEST(dual_energy, of_degenerate_gas_is_by_heat) {
  const eos::white_dwarf dwarf{5.0 / 3, 0.05, 1.5, 1.0};
  const double rho = 2, kinetic = 0.7, cold = dwarf.cold(rho).energy, tau = dwarf.tracer_of_heat(1e-5);
  for (const double heat : {-0.1 * cold, 0.0, 0.9e-3 * (cold + kinetic)})
    EXPECT_NEAR(hydro::internal_energy(dwarf.at(rho), kinetic + cold + heat, kinetic, tau, 1e-3) - cold, 1e-5, 1e-15);
  const double heat = 2e-3 * (cold + kinetic);
  EXPECT_DOUBLE_EQ(hydro::internal_energy(dwarf.at(rho), kinetic + cold + heat, kinetic, tau, 1e-3), cold + heat);
  EXPECT_EQ(hydro::synchronised_tracer(dwarf.at(rho), kinetic + cold + heat, kinetic, tau, kinetic + cold, 0.1), tau);
  EXPECT_NEAR(hydro::synchronised_tracer(dwarf.at(rho), kinetic + 2 * cold, kinetic, tau, kinetic + 2 * cold, 0.1),
              dwarf.tracer_of_heat(cold), 1e-14);
}

}  // namespace
