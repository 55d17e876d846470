#include "stellar/roche.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/constants.hpp"
#include "stellar/axis_profile.hpp"

namespace rednova::stellar {
namespace {

TEST(roche, symmetric_binary) {
  const roche_model r(0.5, 0.5, 1);
  EXPECT_NEAR(r.l1(), 0, 1e-14);
  EXPECT_NEAR(r.potential({0, 0, 0}), -2, 1e-14);  // -2 · 0.5 / 0.5
  EXPECT_NEAR(r.l2(), -r.l3(), 1e-12);
  EXPECT_NEAR(r.l2(), 1.198406, 1e-6);  // Szebehely (1967), mu = 1/2
}

/// The earth and the moon: L1 lies 0.1509 of the distance from the moon, L2 0.1678 beyond it (Szebehely 1967).
TEST(roche, earth_and_moon) {
  const double mu = 0.012150585;
  const roche_model r(1 - mu, mu, 1);
  EXPECT_NEAR(r.centre(1) - r.l1(), 0.1509, 1e-4);
  EXPECT_NEAR(r.l2() - r.centre(1), 0.1678, 1e-4);
}

/// Lagrange points are at rest in the rotating frame: the potential's slope vanishes there. Between L1 and L2 the
/// potential rises: material that leaves does so over L1 first.
TEST(roche, lagrange_points) {
  for (double q : {0.11, 0.5, 1.0, 3.0}) {
    const roche_model r(1 / (1 + q), q / (1 + q), 2.0);
    for (double x : {r.l1(), r.l2(), r.l3()}) {
      const double d = 1e-5;
      EXPECT_NEAR((r.potential({x + d, 0, 0}) - r.potential({x - d, 0, 0})) / (2 * d), 0, 1e-8) << q;
    }
    EXPECT_LE(r.potential({r.l1(), 0, 0}), r.potential({r.l2(), 0, 0}));
    EXPECT_LE(r.potential({r.l2(), 0, 0}), r.potential({r.l3(), 0, 0}) + 1e-12);
  }
}

/// Volume of the lobe below the potential of L1 by counting points, against Eggleton's formula, good to 1 %.
TEST(roche, eggleton) {
  for (double q : {0.2, 1.0, 4.0}) {  // of the star over its companion; the star is number 2
    const roche_model r(1 / (1 + q), q / (1 + q), 1);
    const double top = r.potential({r.l1(), 0, 0}), h = 0.008;
    double volume = 0;
    for (double x = r.l1() + h / 2; x < r.centre(1) + 0.6; x += h)
      for (double y = h / 2; y < 0.6; y += h)
        for (double z = h / 2; z < 0.6; z += h) {
          const core::vec3d p{x, y, z}, from = p - core::vec3d{r.centre(1), 0, 0};
          const double outwards = r.potential(p + 1e-4 * from) - r.potential(p);
          if (r.potential(p) < top && outwards > 0) volume += 4 * h * h * h;
        }
    EXPECT_NEAR(std::cbrt(3 * volume / (4 * core::pi)) / eggleton_lobe(q), 1, 0.012) << q;
  }
}

/// Cubics are met exactly, between points of any spacing and in any order, and so are their maxima.
TEST(axis_profile, cubic) {
  const auto f = [](double x) { return x * x * x - 3 * x; };
  std::vector<axis_profile::point> points;
  for (double x : {2.0, -2.0, 0.1, -0.7, 1.3}) points.push_back({x, f(x), 3 * x * x - 3});
  const axis_profile p(points);
  for (double x = -2; x <= 2; x += 0.1) EXPECT_NEAR(p.at(x), f(x), 1e-13);
  EXPECT_NEAR(p.maximum(-1.9, 1.9), -1, 1e-12);
  EXPECT_EQ(p.maximum(0, 1.9), 1.9);
}

}  // namespace
}  // namespace rednova::stellar
