// The field of a point mass that is softened by a spline.
#include "gravity/softened_point.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rednova::gravity {
namespace {

/// The cubic spline kernel of radius 1 (Monaghan & Lattanzio 1985), whose integral over space is 1.
double kernel(double u) {
  const double norm = 8 / M_PI;
  if (u < 0.5) return norm * (1 - 6 * u * u + 6 * u * u * u);
  return u < 1 ? norm * 2 * (1 - u) * (1 - u) * (1 - u) : 0;
}

// Gauss' law: the mass within u is the kernel's integral. Simpson's rule is exact for the pieces' polynomials up to its
// fourth order, 1e-12 here.
TEST(softened_point, holds_the_mass_of_its_kernel) {
  double within = 0;
  const int steps = 1000;
  const double h = 1.2 / steps;
  const auto shell = [](double u) { return 4 * M_PI * u * u * kernel(u); };
  for (int i = 0; i < steps; ++i) {
    const double u = i * h;
    within += h / 6 * (shell(u) + 4 * shell(u + h / 2) + shell(u + h));
    EXPECT_NEAR(softened_mass_within(u + h), within, 1e-9) << u;
  }
}

TEST(softened_point, pulls_by_the_slope_of_its_potential) {
  const double d = 1e-5;
  for (double u = 0.01; u < 2; u += 0.007) {
    const double slope = (softened_at(u + d).potential - softened_at(u - d).potential) / (2 * d);
    EXPECT_NEAR(slope, softened_at(u).pull * u, 2e-9) << u;  // third derivative (below 200) times d²/6, and rounding
  }
}

TEST(softened_point, is_a_point_outside_and_smooth_at_the_joints) {
  EXPECT_DOUBLE_EQ(softened_at(0.0).potential, -2.8);
  EXPECT_DOUBLE_EQ(softened_at(0.0).pull, 32.0 / 3);
  for (const double u : {1.0, 1.5, 40.0}) {
    EXPECT_DOUBLE_EQ(softened_at(u).potential, -1 / u);
    EXPECT_DOUBLE_EQ(softened_at(u).pull, 1 / (u * u * u));
  }
  for (const double joint : {0.5, 1.0}) {
    const auto below = softened_at(joint * (1 - 1e-13)), above = softened_at(joint);
    EXPECT_NEAR(below.potential, above.potential, 1e-12);
    EXPECT_NEAR(below.pull, above.pull, 1e-11);
  }
}

TEST(softened_point, packs_do_what_doubles_do) {
  for (double first = 0; first < 2; first += 0.05) {
    const exec::pack u = exec::counting<exec::pack>(0.0) * exec::pack(0.03) + exec::pack(first);
    const auto all = softened_at(u);
    for (int i = 0; i < exec::lanes<exec::pack>; ++i) {
      const auto one = softened_at(static_cast<double>(u[static_cast<std::size_t>(i)]));
      EXPECT_NEAR(all.potential[static_cast<std::size_t>(i)], one.potential, 1e-14);
      EXPECT_NEAR(all.pull[static_cast<std::size_t>(i)], one.pull, 1e-13);
    }
  }
}

}  // namespace
}  // namespace rednova::gravity
