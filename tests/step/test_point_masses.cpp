// Point masses among gas: their orbits, their share in the ledger, and the mesh about them.
#include <gtest/gtest.h>

#include <cmath>

#include "gravity/result_field.hpp"
#include "step/collapse.hpp"
#include "step/point_motion.hpp"

namespace rednova::step {
namespace {

/// Two points of masses 0.6 and 0.4 that circle each other at distance 0.2 about the z axis, counter-clockwise, in gas
/// that weighs nothing. Period 0.562.
config::parameters two_points(double rotation) {
  config::parameters p;
  p.mesh.rotation = rotation;
  p.mesh.min_level = p.mesh.max_level = 1;
  p.gravity.enabled = true;
  p.point_masses.mass = {0.6, 0.4};
  p.point_masses.softening = {0.05, 0.08};
  p.point_masses.position = {0.08, 0, 0, -0.12, 0, 0};
  const double v = std::sqrt(1 / 0.2);
  p.point_masses.velocity = {0, 0.4 * v, 0, 0, -0.6 * v, 0};
  return p;
}

void fill_with_nothing(simulation& s) {
  const mesh::fields& f = s.fields();
  const double rho = 1e-12, e = 1e-10;
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      s.u().at(leaf, 0)[c] = rho;
      s.u().at(leaf, f.energy())[c] = e;
      s.u().at(leaf, f.entropy())[c] = s.eos().entropy_tracer(rho, e, 0);
    }
  }
}

/// How far the first point is from its place on the circle after `steps` steps of half a period, over the radius.
double error_after_half_a_period(int steps, double rotation) {
  exec::context context;
  simulation s(two_points(rotation), context);
  fill_with_nothing(s);
  prepare(s);
  const double time = M_PI * std::sqrt(0.2 * 0.2 * 0.2);
  for (int n = 0; n < steps; ++n) {
    advance(s, time / steps);
    EXPECT_DOUBLE_EQ(s.dt(), time / steps);  // not less, for signals
  }
  const double turned = rotation * time;
  const core::vec3d x = s.points()[0].position, there{-0.08 * std::cos(turned), 0.08 * std::sin(turned), 0};
  EXPECT_EQ(x.z, 0);
  return std::sqrt(dot(x - there, x - there)) / 0.08;
}

// Verlet's scheme of sixteen steps in each of the gas's: the error of one would be 7.2e-5. As much on a grid that
// turns, where positions and momenta turn exactly. The gas takes no part: its mass is 1e-12 of theirs.
TEST(point_masses, circle_each_other_with_second_order_in_time) {
  for (const double rotation : {0.0, 3.0}) {
    const double coarse = error_after_half_a_period(200, rotation), fine = error_after_half_a_period(400, rotation);
    std::printf("rotation %g: %.3e %.3e, order %.2f\n", rotation, coarse, fine, std::log2(coarse / fine));
    EXPECT_LT(fine, 3e-7);
    EXPECT_GT(std::log2(coarse / fine), 1.95);
  }
}

/// What integrating the points has added in `steps` steps of the same time.
totals gained(int steps, double rotation) {
  exec::context context;
  simulation s(collapse_parameters({.rotation = rotation, .gravity = true, .points = true}), context);
  start_collapse(s);
  for (int n = 0; n < steps; ++n) advance(s, 6.4e-3 / steps);
  EXPECT_NEAR(s.time(), 6.4e-3, 1e-15);
  return s.ledger().points;
}

// What is booked is an error of the time steps and no sink.
TEST(point_masses, what_is_booked_vanishes_with_the_time_step) {
  for (const double rotation : {0.0, 1.7}) {
    const totals coarse = gained(16, rotation), fine = gained(32, rotation);
    const double energy = std::log2(coarse.energy / fine.energy);
    std::printf("energy %.2e %.2e, order %.2f\n", coarse.energy, fine.energy, energy);
    EXPECT_GT(energy, 1.8);
  }
}

// The gas's gravity and that of the points both pull each point; a sphere of gas about a point at rest pulls it
// nowhere.
TEST(point_masses, feel_the_gas_and_the_gas_feels_them) {
  exec::context context;
  simulation s(collapse_parameters({.gravity = true, .points = true}), context);
  start_collapse(s);
  const gas_pulls& pulls = s.pulls();
  core::vec3d force{}, on_gas{};
  double energy = 0;
  for (int k = 0; k < s.points().count; ++k) {
    force += pulls.force[k];
    energy += pulls.energy[k];
  }
  // The gas's self-gravity adds up to nothing, so what is left of its force is the points'.
  double potential = 0;
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    const double h = s.tree().cell_width(leaf), volume = h * h * h;
    for (int c = 0; c < mesh::cells; ++c) {
      const double mass = volume * s.density(leaf, c);
      for (int d = 0; d < 3; ++d) on_gas[d] += mass * s.gravity().at(leaf, gravity::acceleration + d)[c];
      const core::vec3d x = mesh::view(s.tree()).centre(leaf, c);
      for (const point_mass& p : s.points()) {
        const core::vec3d away = x - p.position;
        const double r = std::sqrt(dot(away, away));
        potential += r > p.softening ? -mass * p.mass / r : 0.0;
      }
    }
  }
  const double scale = std::sqrt(dot(force, force));
  EXPECT_GT(scale, 1e-3 * std::fabs(energy));
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(force[d], -on_gas[d], 1e-13 * std::fabs(energy) / 0.08);
  EXPECT_LT(energy, potential);  // what lies within the softenings comes to the sum of Newton's outside
}

TEST(point_masses, are_surrounded_by_fine_cells_wherever_they_are) {
  config::parameters p = two_points(3);
  p.mesh.min_level = 1;
  p.mesh.max_level = 6;  // of which the points ask for 4
  p.point_masses.cells = 6;
  p.mesh.regrid_interval = 4;
  exec::context context;
  simulation s(p, context);
  for (int round = 0; round < 5; ++round) {
    fill_with_nothing(s);
    prepare(s);
    if (!adapt(s)) break;
    s.stepper().fetch();
  }
  const auto expect_cells = [&] {
    for (const point_mass& point : s.points()) {
      for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
        const double h = s.tree().cell_width(leaf);
        for (int c = 0; c < mesh::cells; ++c) {
          const core::vec3d away = mesh::view(s.tree()).centre(leaf, c) - point.position;
          if (dot(away, away) < point.softening * point.softening) {
            EXPECT_LE(h, point.softening / 6);
          }
        }
      }
    }
  };
  expect_cells();
  EXPECT_GT(s.tree().leaves(), 100);
  EXPECT_LT(s.tree().leaves(), 4096 / 4);
  for (int n = 1; n <= 20; ++n) {
    advance(s, 1e9);
    expect_cells();
    if (n % p.mesh.regrid_interval == 0) adapt(s);
  }
}

}  // namespace
}  // namespace rednova::step
