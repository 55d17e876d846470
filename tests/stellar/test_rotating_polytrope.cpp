#include "stellar/rotating_polytrope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <utility>

#include "core/check.hpp"
#include "core/constants.hpp"

namespace rednova::stellar {
namespace {

TEST(rotating_polytrope, without_rotation_is_lane_emden) {
  const polytrope star(1.5, 2.0, 0.7);
  const rotating_polytrope same(1.5, 2.0, 0.7, 0);
  EXPECT_NEAR(same.central_density() / star.central_density(), 1, 1e-12);
  EXPECT_NEAR(same.central_pressure() / star.central_pressure(), 1, 1e-12);
  EXPECT_EQ(same.axis_ratio(), 1);
  for (double r = 0.01; r < 1.5; r += 0.03) {
    const double enthalpy = -star.potential(r) - star.mass() / star.radius();
    EXPECT_NEAR(same.central_enthalpy() * same.theta(0.6 * r, 0.8 * r), enthalpy, 1e-9);
  }
}

/// Largest |lap(h) + 4 pi rho - 2 omega²| / (4 pi rho_c) on spheres within the star, where the density has no edge, and
/// the mass, from the model by finite differences.
struct measured {
  double residual = 0, mass = 0;
};

measured measure(double n, double omega) {
  const rotating_polytrope star(n, 1, 1, omega);
  const auto h = [&](double x, double z) { return star.central_enthalpy() * star.theta(x, z); };
  const auto density = [&](double x, double z) {
    const double theta = star.theta(x, z);
    return theta > 0 ? star.central_density() * std::pow(theta, n) : 0;
  };
  measured m;
  const double d = 0.01;
  for (double x = 0.05; x < 0.8; x += 0.1) {
    for (double z = 0.05; std::hypot(x, z) < 0.9 * star.axis_ratio(); z += 0.1) {
      const double laplacian = (h(x + d, z) + h(x - d, z) + h(x, z + d) + h(x, z - d) - 4 * h(x, z)) / (d * d) +
                               (h(x + d, z) - h(x - d, z)) / (2 * d * x);
      m.residual = std::fmax(m.residual, std::fabs(laplacian + 4 * core::pi * density(x, z) - 2 * omega * omega));
    }
  }
  m.residual /= 4 * core::pi * star.central_density();
  const int cells = 800;
  const double w = 1.1 / cells;
  for (int i = 0; i < cells; ++i)
    for (int k = 0; k < cells; ++k)
      m.mass += 4 * core::pi * (i + 0.5) * w * w * w * density((i + 0.5) * w, (k + 0.5) * w);
  return m;
}

/// The model solves the equation of equilibrium: what is left is the finite differences' own error, which grows with
/// the flattening, and its mass is what was asked for but for the sum over cells that the surface cuts.
TEST(rotating_polytrope, is_in_equilibrium) {
  for (const double n : {0.5, 1.0, 1.5, 3.0}) {
    const double floor = measure(n, 0).residual;
    for (const double omega : {0.15, 0.4, 0.7}) {
      const measured m = measure(n, omega);
      std::printf("    n %.1f, omega %.2f: residual %.1e (at rest %.1e), mass off by %.1e\n", n, omega, m.residual,
                  floor, m.mass - 1);
      EXPECT_LT(m.residual, 1.5 * floor) << n << " " << omega;
      EXPECT_NEAR(m.mass, 1, 1e-4) << n << " " << omega;
    }
  }
}

/// For n = 1 the apsidal constant is (15/pi² - 1)/2, so the oblateness is 15/(2 pi²) omega² R³/M (Clairaut).
TEST(rotating_polytrope, oblateness_of_index_1) {
  const double omega = 0.02;
  const rotating_polytrope star(1, 1, 1, omega);
  // The next term is of relative order omega².
  EXPECT_NEAR((1 - star.axis_ratio()) / (7.5 / (core::pi * core::pi) * omega * omega), 1, 2e-4);
}

/// Units are the caller's: a star of another mass and size is the same star.
TEST(rotating_polytrope, scales) {
  const double mass = 3, radius = 0.2, unit = std::sqrt(mass / (radius * radius * radius));
  const rotating_polytrope one(1.5, 1, 1, 0.5), other(1.5, mass, radius, 0.5 * unit);
  EXPECT_NEAR(one.axis_ratio(), other.axis_ratio(), 1e-12);
  EXPECT_NEAR(other.central_density() / (one.central_density() * unit * unit), 1, 1e-12);
  EXPECT_NEAR(other.central_enthalpy() / (one.central_enthalpy() * mass / radius), 1, 1e-12);
  EXPECT_NEAR(other.theta(0.6 * radius, 0.3 * radius), one.theta(0.6, 0.3), 1e-12);
  EXPECT_NEAR(one.theta(1, 0), 0, 1e-12);
  EXPECT_NEAR(one.theta(0, one.axis_ratio()), 0, 1e-12);
}

/// Far from the axis, where gas that turns with the star would be thrown out, there is no second star.
TEST(rotating_polytrope, is_alone) {
  for (const auto& [n, omega] : {std::pair{1.5, 0.5}, {3.0, 0.99}, {0.5, 1.08}}) {
    const rotating_polytrope star(n, 1, 1, omega);
    double before = 0;
    for (double s = 1 + 1e-4; s < 20; s *= 1.02) {
      EXPECT_LE(star.theta(s, 0), before) << n << " " << omega << " " << s;
      EXPECT_LT(star.theta(s, 0.5), 0);
      before = star.theta(s, 0);
    }
    EXPECT_LT(before, 0);
  }
}

TEST(rotating_polytrope, one_that_sheds_its_equator_is_refused) {
  struct fastest {
    double n, has, has_not;
  };
  for (const auto& [n, has, has_not] :
       {fastest{0.5, 1.11, 1.13}, fastest{1, 1.04, 1.06}, fastest{1.5, 1.015, 1.03}, fastest{3, 0.999, 1.005}}) {
    EXPECT_NO_THROW(rotating_polytrope(n, 1, 1, has)) << n;
    EXPECT_THROW(rotating_polytrope(n, 1, 1, has_not), core::user_error) << n;
  }
}

}  // namespace
}  // namespace rednova::stellar
