#include "stellar/rotating_polytrope.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

/// Largest |lap(h) + 4 pi rho - 2 omega²| / (4 pi rho_c) and the mass, from the model by finite differences.
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
    for (double z = 0.05; x * x + z * z < 0.6; z += 0.1) {
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

/// The model solves the equation of equilibrium but for terms of second order in omega².
TEST(rotating_polytrope, equilibrium_to_first_order) {
  for (const double n : {1.0, 1.5, 3.0}) {
    const measured slow = measure(n, 0.15), fast = measure(n, 0.3);
    const double floor = measure(n, 0).residual;  // of the finite differences
    EXPECT_LT(fast.residual, 2e-3 + floor) << n;
    EXPECT_LT(slow.residual, fast.residual / 8 + floor) << n;
    EXPECT_NEAR(slow.mass, 1, 5e-4) << n;
    EXPECT_NEAR(fast.mass, 1, 5e-3) << n;
  }
}

/// For n = 1 the apsidal constant is (15/pi² - 1)/2, so the oblateness is 15/(2 pi²) omega² R³/M (Clairaut).
TEST(rotating_polytrope, oblateness_of_index_1) {
  const double omega = 0.02;
  const rotating_polytrope star(1, 1, 1, omega);
  // The next term is of relative order omega².
  EXPECT_NEAR((1 - star.axis_ratio()) / (7.5 / (core::pi * core::pi) * omega * omega), 1, 2e-3);
}

TEST(rotating_polytrope, too_fast_is_refused) { EXPECT_THROW(rotating_polytrope(1.5, 1, 1, 0.7), core::user_error); }

}  // namespace
}  // namespace rednova::stellar
