#include "stellar/scf.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "models.hpp"
#include "on_mesh.hpp"
#include "stellar/binary_figure.hpp"
#include "stellar/lane_emden.hpp"
#include "stellar/roche.hpp"
#include "stellar/rotating_figure.hpp"
#include "stellar/rotating_polytrope.hpp"

namespace rednova::stellar {
namespace {

double highest_density(const model& m) {
  double most = 0;
  for (int leaf = 0; leaf < m.tree.leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) most = std::max(most, m.density(leaf, c));
  }
  return most;
}

/// Gravity as the problem 'binary' has it.
constexpr config::gravity binaries{.order = 4};

model solve(const binary_request& r, const scf_settings& settings = {}) {
  exec::context context;
  binary_figure figure(r);
  // 11 cells to the radius of a star that is a third of the separation.
  return self_consistent_field(context, binaries, test_mesh(2, 4, 0.05), figure, settings);
}

binary_request two_polytropes() {
  binary_request r;
  r.mass = {2.0 / 3, 1.0 / 3};
  return r;
}

const composition cored{.envelope_index = 1.5, .core_index = 3, .core_fraction = 0.2, .mu_ratio = 1.5};

/// What every binary owes, by its gas on the mesh. Not imposed by the iteration: the virial theorem, that the forces on
/// each star balance the rotation, that pressure and potential balance within the stars, and Kepler's law up to the
/// tides. Imposed: masses and places, which the gas must show all the same.
std::array<star_on_mesh, 2> expect_balanced(const model& m, const binary_request& r) {
  exec::context context;
  const std::array<star_on_mesh, 2> gas = measure(context, binaries, m);
  const double omega2 = m.omega * m.omega, a = gas[1].centre - gas[0].centre;
  std::printf("    %d iterations, %d cells\n", m.iterations, m.tree.leaves() * mesh::cells);
  std::printf("    virial error %.1e, Omega² a³/M - 1 = %+.1e, of the forces %+.1e %+.1e, trim %+.1e\n",
              m.virial_error(), omega2 - 1, gas[0].omega2 / omega2 - 1, gas[1].omega2 / omega2 - 1, m.trim);
  EXPECT_LT(m.virial_error(), 1e-3);
  EXPECT_NEAR(a / r.separation, 1, 1e-8);
  EXPECT_NEAR(gas[0].mass * gas[0].centre + gas[1].mass * gas[1].centre, 0, 1e-8);
  // Tides strengthen the pull, by 3.1 % at most in these models.
  EXPECT_GT(omega2 * a * a * a, 1);
  EXPECT_LT(omega2 * a * a * a, 1.04);
  for (std::size_t s = 0; s < 2; ++s) {
    EXPECT_NEAR(gas[s].mass / r.mass[s], 1, 1e-10);
    EXPECT_NEAR(gas[s].omega2 / omega2, 1, 1e-4);
    EXPECT_NEAR(m.star[s].omega2 / omega2, 1, 1e-4);
    std::printf("    least p / rho^(5/3) over the model's, less 1: %.1e\n", gas[s].entropy / m.star[s].entropy - 1);
    EXPECT_GT(gas[s].entropy / m.star[s].entropy, 1 - 1e-10);
    EXPECT_LT(gas[s].entropy / m.star[s].entropy, 1.01);
    // Cells with a little gas count whole: up to half a cell of a radius of eight.
    EXPECT_NEAR(gas[s].radius() / m.star[s].radius, 1.03, 0.05);
  }
  return gas;
}

/// The largest enthalpy H of the gas at L1 over the depth from L1 to L2 of the Roche model, whose L1 lies within half a
/// cell: that is the fillout, measured.
double fillout_of_gas(const model& m, const binary_request& r) {
  const roche_model roche(r.mass[0], r.mass[1], r.separation);
  const core::vec3d l1{roche.l1(), 1e-9, 1e-9}, l2{roche.l2(), 0, 0};
  const on_mesh::cell c = on_mesh::at(m.tree, l1);
  const double h = 2.5 * m.cells.at(c.leaf, model_pressure)[c.index] / m.density(c.leaf, c.index);
  return h / (roche.potential(l2) - roche.potential(l1));
}

/// Omega² a³ / M is 1 but for the tides and the flattening of the stars, which act on the companion as quadrupoles:
/// 1 + sum_i k (R_i/a)^5 (3 m_j/m_i + M / 2 m_i) with the Love number k = 0.2867 of the polytrope of index 1.5 (twice
/// its apsidal constant; Brooker & Olle 1955). Higher orders are a fifth of it at R/a = 0.35.
TEST(scf, detached_binary_and_keplers_law) {
  binary_request r = two_polytropes();
  r.filling = {0.8, 0.8};
  const model m = solve(r);
  const auto gas = expect_balanced(m, r);
  double quadrupole = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    quadrupole += 0.2867 * std::pow(m.star[i].radius, 5) * (3 * r.mass[1 - i] / r.mass[i] + 0.5 / r.mass[i]);
    EXPECT_NEAR(m.star[i].radius / (0.8 * eggleton_lobe(r.mass[i] / r.mass[1 - i])), 1, 0.02);  // point masses; 1 %
  }
  std::printf("    (Omega² a³/M - 1) / quadrupole = %.3f\n", (m.omega * m.omega - 1) / quadrupole);
  EXPECT_NEAR(m.omega * m.omega, 1 + quadrupole, 0.25 * quadrupole);
  EXPECT_LT(gas[0].innermost, roche_model(r.mass[0], r.mass[1], 1).l1());
  EXPECT_GT(gas[1].innermost, roche_model(r.mass[0], r.mass[1], 1).l1());
}

/// The donor's gas reaches to L1, as far as cells can show its tip, and not beyond.
TEST(scf, semi_detached_binary) {
  binary_request r = two_polytropes();
  r.filling = {0.7, 1};
  const model m = solve(r);
  const auto gas = expect_balanced(m, r);
  const double l1 = roche_model(r.mass[0], r.mass[1], 1).l1(), h = m.tree.box().cell_width(4);
  std::printf("    gas from L1 on: %.2f cells\n", (gas[1].innermost - l1) / h);
  EXPECT_GT(gas[1].innermost, l1 - 0.5 * h);
  EXPECT_LT(gas[1].innermost, l1 + 1.5 * h);
  EXPECT_NEAR(m.star[1].radius / eggleton_lobe(0.5), 1, 0.02);
  EXPECT_NEAR(gas[0].radius() / (0.7 * eggleton_lobe(2)), 1, 0.05);
}

TEST(scf, contact_binary) {
  binary_request r = two_polytropes();
  r.context = surface::contact;
  r.fillout = 0.3;
  const model m = solve(r);
  const auto gas = expect_balanced(m, r);
  // The stars touch where Roche's L1 is.
  const double l1 = roche_model(r.mass[0], r.mass[1], 1).l1(), h = m.tree.box().cell_width(4);
  EXPECT_NEAR(0.5 * (gas[0].innermost + gas[1].innermost), l1, h);
  EXPECT_NEAR(gas[1].innermost - gas[0].innermost, h, 1e-12);
  std::printf("    fillout of the gas %.3f\n", fillout_of_gas(m, r));
  EXPECT_NEAR(fillout_of_gas(m, r), 0.3, 0.02);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_GT(gas[i].radius(), eggleton_lobe(r.mass[i] / r.mass[1 - i]));
}

/// In a common envelope p(rho) of the envelope gas is one function for both stars.
TEST(scf, common_envelope) {
  binary_request r = two_polytropes();
  r.context = surface::common_envelope;
  r.fillout = 0.3;
  r.made_of = {cored, cored};
  const model m = solve(r);
  const auto gas = expect_balanced(m, r);
  EXPECT_NEAR(gas[0].core_mass / gas[0].mass, 0.2, 1e-9);
  EXPECT_GT(gas[1].core_mass / gas[1].mass, 0.2);
  EXPECT_NEAR(m.star[1].entropy / m.star[0].entropy, 1, 1e-12);
  // Of averages over cells at the cores, where the density varies.
  EXPECT_NEAR(gas[1].entropy / gas[0].entropy, 1, 0.01);
  std::printf("    fillout of the gas %.3f\n", fillout_of_gas(m, r));
  EXPECT_NEAR(fillout_of_gas(m, r), 0.3, 0.02);
}

/// On a mesh that is too coarse for the stars' own balance the rotation still balances the forces on them: that error
/// goes into the trim, and the trim goes to zero with the cells.
TEST(scf, coarse_stars_orbit_in_balance) {
  binary_request r = two_polytropes();
  r.context = surface::common_envelope;
  r.fillout = 0.3;
  r.made_of = {cored, cored};
  r.made_of[0].core_fraction = 0.1;
  double trim[2];
  for (int i = 0; i < 2; ++i) {
    exec::context context;
    binary_figure figure(r);
    const model m = self_consistent_field(context, binaries, test_mesh(2, 3 + i, 0.05), figure, {});
    const auto gas = measure(context, binaries, m);
    trim[i] = std::fabs(m.trim);
    for (std::size_t s = 0; s < 2; ++s) EXPECT_NEAR(gas[s].omega2 / (m.omega * m.omega), 1, 1e-4);
  }
  std::printf("    trim %.1e, then %.1e\n", trim[0], trim[1]);
  EXPECT_GT(trim[0], 1e-3);
  EXPECT_LT(trim[1], 0.5 * trim[0]);
}

TEST(scf, period_instead_of_separation) {
  binary_request r = two_polytropes();
  r.filling = {0.7, 0.7};
  r.separation = 0;
  r.period = 2 * core::pi;
  const model m = solve(r);
  EXPECT_NEAR(m.omega, 1, 2e-5);
  EXPECT_NEAR(m.separation(), 1, 0.01);  // Kepler, and the stars' quadrupoles
  EXPECT_LT(m.virial_error(), 1e-3);
}

/// A star that does not turn is the Lane-Emden star, W = -3/(5-n) M²/R: at 8 and 16 cells to the radius.
TEST(scf, polytrope_is_lane_emden) {
  exec::context context;
  for (double n : {1.5, 2.5}) {
    const polytrope exact(n, 1, 1);
    double energy_error[2], density_error[2];
    for (int i = 0; i < 2; ++i) {
      rotating_figure figure({.mass = 1, .equatorial_radius = 1, .axis_ratio = 1, .made_of = {.envelope_index = n}});
      const model m = self_consistent_field(context, {}, test_mesh(2, 2 + i, 0.02), figure, {});
      const double h = m.tree.box().cell_width(2 + i);
      EXPECT_LT(m.virial_error(), 1e-3) << n;
      EXPECT_EQ(m.omega, 0);
      energy_error[i] = m.potential / (-3 / (5 - n)) - 1;
      // The mean over one of the densest cells, which touch the centre, by Gauss's points.
      double mean = 0;
      for (int p = 0; p < 8; ++p) {
        const auto place = [&](int d) { return h * (0.5 + (p >> d & 1 ? 1 : -1) / std::sqrt(12.0)); };
        mean += 0.125 * exact.density(std::hypot(place(0), place(1), place(2)));
      }
      density_error[i] = highest_density(m) / mean - 1;
    }
    std::printf("    n %.1f: energy %.1e %.1e, density %.1e %.1e\n", n, energy_error[0], energy_error[1],
                density_error[0], density_error[1]);
    // At least second order; the bounds are three times what is measured. Of the energy's error gravity has 1e-4.
    EXPECT_LT(std::fabs(energy_error[1]), 5e-4) << n;
    EXPECT_LT(std::fabs(energy_error[1]), 0.25 * std::fabs(energy_error[0])) << n;
    EXPECT_LT(std::fabs(density_error[1]), 1e-3) << n;
    EXPECT_LT(std::fabs(density_error[1]), 0.3 * std::fabs(density_error[0])) << n;
  }
}

/// Against the star found in polar coordinates, whose flattening asks for the rotation.
TEST(scf, rotating_polytrope) {
  exec::context context;
  for (const double omega : {0.25, 0.7}) {
    const rotating_polytrope exact(1.5, 1, 1, omega);
    rotating_figure figure({.mass = 1, .equatorial_radius = 1, .axis_ratio = exact.axis_ratio(), .made_of = {}});
    const model m = self_consistent_field(context, {}, test_mesh(2, 3, 0.02), figure, {});
    std::printf("    omega %.2f: off by %.1e, virial error %.1e\n", omega, m.omega / omega - 1, m.virial_error());
    EXPECT_LT(m.virial_error(), 2e-4);
    EXPECT_NEAR(m.omega / omega, 1, 3e-3);  // of 8 cells to the radius; measured -1.1e-3 and 5.8e-4
  }
}

/// The mesh is the one that the density asks for, and the result does not depend on the number of threads.
TEST(scf, same_bits_on_any_number_of_threads) {
  binary_request r = two_polytropes();
  r.filling = {0.8, 0.8};
  model last(mesh::tree::uniform(test_mesh(2, 3, 0.05).box, 0));
  for (int threads : {1, 3}) {
    exec::context context(threads);
    binary_figure figure(r);
    model m = self_consistent_field(context, {}, test_mesh(2, 3, 0.05), figure, {.tolerance = 1e-3});
    if (threads > 1) {
      ASSERT_EQ(m.tree.leaves(), last.tree.leaves());
      EXPECT_EQ(m.omega, last.omega);
      for (int leaf = 0; leaf < m.tree.leaves(); ++leaf) {
        for (int c = 0; c < mesh::cells; ++c) ASSERT_EQ(m.density(leaf, c), last.density(leaf, c));
      }
    }
    last = std::move(m);
  }
}

TEST(scf, failures_say_what_to_do) {
  binary_request r = two_polytropes();
  EXPECT_THROW(solve(r, {.max_iterations = 3}), core::user_error);
  // Polytropes without cores cannot share an envelope unless they are equal (Kuiper 1941).
  r.context = surface::common_envelope;
  EXPECT_THROW(solve(r), core::user_error);
}

}  // namespace
}  // namespace rednova::stellar
