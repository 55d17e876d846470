// Children of a coarse cell.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "exchange/prolong_gas.hpp"
#include "random_gas.hpp"

namespace rednova::exchange {
namespace {

using core::vec3d;

TEST(prolong, mean_of_the_children_is_the_parent_and_none_is_an_extremum) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(0, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    stencil s{
        value(random), {value(random), value(random), value(random)}, {value(random), value(random), value(random)}};
    const vec3d slope = limited_slopes(s);
    double sum = 0;
    for (int c = 0; c < 8; ++c) {
      const double v = child_value(s.centre, slope, c);
      sum += v;
      EXPECT_GE(v, 0);
      EXPECT_LE(v, 1);
    }
    EXPECT_NEAR(sum / 8, s.centre, 4e-16);  // eight roundings of numbers below one
  }
}

TEST(prolong, linear_fields_are_kept) {
  const stencil s{3, {2, 1, 5}, {4, 5, 1}};
  const vec3d slope = limited_slopes({3, {2.5, 2, 4}, {3.5, 4, 2}});
  EXPECT_EQ(slope, (vec3d{0.5, 1, -1}));
  EXPECT_EQ(child_value(3.0, slope, 1), 3 + 0.125 - 0.25 + 0.25);
  EXPECT_LE(std::fabs(limited_slopes(s).x), 1);
}

// A slope of one by depth, whatever the depths of the cells are, as long as light diffuses through this one.
TEST(prolong, light_that_diffuses_is_linear_in_depth) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> decade(-6, 6);
  for (int trial = 0; trial < 1000; ++trial) {
    stencil depth{1e7}, energy{1e14};
    for (int d = 0; d < 3; ++d) {
      depth.lower[d] = depth.centre * std::pow(10, decade(random));
      depth.upper[d] = depth.centre * std::pow(10, decade(random));
      energy.lower[d] = energy.centre - 0.5 * (depth.lower[d] + depth.centre);
      energy.upper[d] = energy.centre + 0.5 * (depth.upper[d] + depth.centre);
    }
    const vec3d slope = limited_slopes_of_light(energy, depth);
    // Half a cell beside each face at least; what the limiter of three directions leaves of it is the same for all.
    EXPECT_LE(slope.x, depth.centre * (1 + 1e-7));
    EXPECT_GT(slope.x, 0.6 * depth.centre);
    for (int d = 1; d < 3; ++d) EXPECT_NEAR(slope[d], slope.x, 1e-7 * depth.centre);
  }
}

// In all directions, with the surface on either side.
TEST(prolong, light_below_a_surface_has_the_slope_of_the_opaque_side) {
  constexpr double thick = 1e3, thin = 1e-9;
  for (int d = 0; d < 3; ++d)
    for (const bool up : {true, false}) {
      stencil depth{thick, {thick, thick, thick}, {thick, thick, thick}};
      stencil energy{0.5, {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
      const auto beyond = [&](stencil& s) -> double& { return up ? s.upper[d] : s.lower[d]; };
      (up ? energy.lower : energy.upper)[d] = 1.5;
      const auto slope = [&](const vec3d& of) { return up ? of[d] : -of[d]; };
      beyond(energy) = 0.001;
      beyond(depth) = thin;
      EXPECT_NEAR(slope(limited_slopes_of_light(energy, depth)), -0.998, 2e-6);  // twice that to the surface at most
      EXPECT_NEAR(slope(limited_slopes(energy)), -0.7495, 1e-15);
      // Within, cells of one depth.
      beyond(energy) = -0.2;
      beyond(depth) = thick;
      EXPECT_NEAR(slope(limited_slopes_of_light(energy, depth)), slope(limited_slopes(energy)), 1e-15);
      // Where light streams its energy says nothing of depths.
      beyond(energy) = 0.001;
      beyond(depth) = depth.centre = thin;
      EXPECT_NEAR(slope(limited_slopes_of_light(energy, depth)), slope(limited_slopes(energy)), 1e-15);
    }
}

// Gas whose density changes by a half across the cell, with light that is linear in its depth, of which a child has
// that in the middle of its own.
TEST(prolong, light_of_children_is_that_in_the_middle_of_their_depths) {
  const stencil extinction{8, {6, 8, 8}, {10, 8, 8}};  // of a width of 1e3
  const stencil energy{0, {-7, 0, 0}, {9, 0, 0}};
  const linear<double> light = light_in_cell<double>(energy, extinction, 1e3);
  // The lower child has 3.75 of 8, the upper one 4.25; the cell's middle is 4 below the face above.
  for (int child = 0; child < 8; ++child) {
    const double lower = -4 + 0.5 * 3.75, upper = 4 - 0.5 * 4.25;
    EXPECT_NEAR(light(child), child & 1 ? upper : lower, 1e-5);
  }
}

/// A coarse cell of random gas and its six neighbours: [field]. Densities over eight decades; heat from none of the
/// kinetic energy to all of it.
std::vector<stencil> random_stencils(const mesh::fields& f, std::mt19937& random) {
  std::uniform_real_distribution<double> distribution(0, 1);
  const auto unit = [&] { return distribution(random); };
  std::vector<stencil> u(static_cast<std::size_t>(f.size()));
  for (int cell = 0; cell < 7; ++cell) {
    const auto at = [&](int field) -> double& {
      stencil& s = u[static_cast<std::size_t>(field)];
      return cell == 0 ? s.centre : cell < 4 ? s.lower[cell - 1] : s.upper[cell - 4];
    };
    test::fill_random_cell(f, at, unit, [&] { return std::pow(10, -3 * unit()); });
  }
  return u;
}

// Mass, momentum, energy and angular momentum as they were, with velocities of the gas around and at least three
// quarters of the heat.
TEST(prolong, divided_gas_adds_up_to_the_cell) {
  const mesh::fields f(2);
  std::mt19937 random(11);
  const double h = 0.3;
  double least_heat = 1;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::vector<stencil> u = random_stencils(f, random);
    const auto centre = [&](int field) { return u[static_cast<std::size_t>(field)].centre; };
    std::vector<std::array<double, 8>> children(u.size());
    divide_gas(
        f, [&](int field) { return u[static_cast<std::size_t>(field)]; }, h,
        [&](int field, int c, double value) {
          children[static_cast<std::size_t>(field)][static_cast<std::size_t>(c)] = value;
        });
    const auto child = [&](int field, int c) {
      return children[static_cast<std::size_t>(field)][static_cast<std::size_t>(c)];
    };
    const auto mean = [&](int field) {
      double sum = 0;
      for (int c = 0; c < 8; ++c) sum += child(field, c) / 8;
      return sum;
    };
    const double rho = centre(0) + centre(1);
    // Some dozen roundings of a cell's largest values: momenta up to its density, energies up to thrice that.
    const double rounding = 2e-15 * rho;
    for (int k = 0; k < f.species(); ++k) EXPECT_NEAR(mean(k), centre(k), rounding);
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(mean(f.momentum(d)), centre(f.momentum(d)), rounding);
    EXPECT_NEAR(mean(f.energy()), centre(f.energy()), 3 * rounding);
    EXPECT_NEAR(mean(f.entropy()), centre(f.entropy()), rounding);
    vec3d orbital;
    for (int c = 0; c < 8; ++c) {
      const vec3d x{c & 1 ? h / 4 : -h / 4, c & 2 ? h / 4 : -h / 4, c & 4 ? h / 4 : -h / 4};
      orbital += 0.125 * cross(x, vec3d{child(f.momentum(0), c), child(f.momentum(1), c), child(f.momentum(2), c)});
    }
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(mean(f.spin(d)) + orbital[d], centre(f.spin(d)), rounding);

    const auto heat_of = [&](double energy, double mass, const vec3d& s) { return energy - 0.5 * dot(s, s) / mass; };
    const double heat =
        heat_of(centre(f.energy()), rho, {centre(f.momentum(0)), centre(f.momentum(1)), centre(f.momentum(2))});
    double kept = 0;
    for (int c = 0; c < 8; ++c) {
      const double mass = child(0, c) + child(1, c);
      const vec3d s{child(f.momentum(0), c), child(f.momentum(1), c), child(f.momentum(2), c)};
      for (int d = 0; d < 3; ++d) {
        double highest = -2, lowest = 2;
        const auto seen = [&](double momentum, double first, double second) {
          highest = std::max(highest, momentum / (first + second));
          lowest = std::min(lowest, momentum / (first + second));
        };
        const auto at = [&](int field) { return u[static_cast<std::size_t>(field)]; };
        seen(centre(f.momentum(d)), centre(0), centre(1));
        for (int e = 0; e < 3; ++e) {
          seen(at(f.momentum(d)).lower[e], at(0).lower[e], at(1).lower[e]);
          seen(at(f.momentum(d)).upper[e], at(0).upper[e], at(1).upper[e]);
        }
        EXPECT_LE(s[d] / mass, highest + 1e-14);
        EXPECT_GE(s[d] / mass, lowest - 1e-14);
      }
      EXPECT_GT(heat_of(child(f.energy(), c), mass, s), -1e-14 * mass);
      kept += heat_of(child(f.energy(), c), mass, s) / 8;
    }
    EXPECT_GT(kept, (1 - heat_for_motion) * heat - rounding);
    least_heat = std::min(least_heat, kept / heat);
  }
  EXPECT_NEAR(least_heat, 1 - heat_for_motion, 1e-3) << "the limit is to act";
}

}  // namespace
}  // namespace rednova::exchange
