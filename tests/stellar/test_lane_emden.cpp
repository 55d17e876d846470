#include "stellar/lane_emden.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/constants.hpp"

namespace rednova::stellar {
namespace {

TEST(lane_emden, analytic_index_0) {
  const lane_emden s(0);
  EXPECT_NEAR(s.xi1(), std::sqrt(6.0), 1e-11);
  EXPECT_NEAR(s.surface_slope(), std::sqrt(6.0) / 3, 1e-11);
  for (double xi = 0; xi < 2.44; xi += 0.0137) {
    EXPECT_NEAR(s.theta(xi), 1 - xi * xi / 6, 1e-12) << xi;
    EXPECT_NEAR(s.slope(xi), -xi / 3, 1e-12) << xi;
  }
}

TEST(lane_emden, analytic_index_1) {
  const lane_emden s(1);
  EXPECT_NEAR(s.xi1(), core::pi, 1e-11);
  EXPECT_NEAR(s.surface_slope(), 1 / core::pi, 1e-11);
  for (double xi = 0.0071; xi < core::pi; xi += 0.0137) {
    // Cubic interpolation over steps of 0.01 at most leaves 1e-11 of theta and 1e-10 of its slope.
    EXPECT_NEAR(s.theta(xi), std::sin(xi) / xi, 1e-10) << xi;
    EXPECT_NEAR(s.slope(xi), std::cos(xi) / xi - std::sin(xi) / (xi * xi), 1e-9) << xi;
  }
}

struct row {
  double n, xi1, slope;
};

class lane_emden_table : public testing::TestWithParam<row> {};

/// Chandrasekhar 1939, table 4, and Horedt 1986 (ApSS 126, 357) to more digits.
TEST_P(lane_emden_table, surface) {
  const lane_emden s(GetParam().n);
  EXPECT_NEAR(s.xi1() / GetParam().xi1, 1, 2e-7);
  EXPECT_NEAR(s.surface_slope() / GetParam().slope, 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(horedt, lane_emden_table,
                         testing::Values(row{0.5, 2.7526980, 0.4999971}, row{1.5, 3.65375374, 0.20330128},
                                         row{2, 4.35287460, 0.12724865}, row{2.5, 5.35527546, 0.07626491},
                                         row{3, 6.89684862, 0.04242976}, row{4, 14.9715463, 0.00801808}),
                         [](const auto& i) { return "n_" + std::to_string(static_cast<int>(10 * i.param.n)); });

TEST(polytrope, mass_and_equilibrium) {
  for (const double n : {0.0, 1.0, 1.5, 3.0}) {
    const polytrope star(n, 2.0, 0.7);
    double mass = 0;
    const int steps = 20000;
    const double dr = star.radius() / steps;
    for (int i = 0; i < steps; ++i) {
      const double r = (i + 0.5) * dr;
      mass += 4 * core::pi * r * r * dr * star.density(r);
      if (i % 1000 == 500) {
        // The difference quotient's own error near the surface is (dr / depth)² = 4e-6.
        const double gradient = (star.pressure(r + dr) - star.pressure(r - dr)) / (2 * dr);
        EXPECT_NEAR(gradient * r * r / (-star.density(r) * star.mass_within(r)), 1, 1e-5) << n << " " << r;
        const double g = (star.potential(r + dr) - star.potential(r - dr)) / (2 * dr);
        EXPECT_NEAR(g * r * r / star.mass_within(r), 1, 1e-6) << n << " " << r;
      }
    }
    EXPECT_NEAR(mass / star.mass(), 1, 1e-7) << n;
  }
}

}  // namespace
}  // namespace rednova::stellar
