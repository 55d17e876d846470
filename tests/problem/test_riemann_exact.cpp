#include "problem/riemann_exact.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/check.hpp"

namespace rednova::problem {
namespace {

struct row {
  const char* name;
  riemann_state left, right;
  double pressure, speed, density_left, density_right;
};

class toro : public testing::TestWithParam<row> {};

/// Toro 2009, tables 4.1 and 4.2, printed to 5 or 6 digits.
TEST_P(toro, star_region) {
  const row& r = GetParam();
  const riemann_exact s(r.left, r.right, 1.4);
  EXPECT_NEAR(s.contact_pressure() / r.pressure, 1, 3e-3 * (r.pressure < 0.01) + 2e-5);
  EXPECT_NEAR(s.contact_speed(), r.speed, 1e-5 * (1 + std::fabs(r.speed)));
  const double step = 1e-9;
  EXPECT_NEAR(s.at(s.contact_speed() - step).density / r.density_left, 1, 5e-4);
  EXPECT_NEAR(s.at(s.contact_speed() + step).density / r.density_right, 1, 5e-4);
}

INSTANTIATE_TEST_SUITE_P(
    tests, toro,
    testing::Values(row{"sod", {1, 0, 1}, {0.125, 0, 0.1}, 0.30313, 0.92745, 0.42632, 0.26557},
                    row{"two_rarefactions", {1, -2, 0.4}, {1, 2, 0.4}, 0.00189, 0, 0.02185, 0.02185},
                    row{"blast_left", {1, 0, 1000}, {1, 0, 0.01}, 460.894, 19.5975, 0.57506, 5.99924},
                    row{"blast_right", {1, 0, 0.01}, {1, 0, 100}, 46.0950, -6.19633, 5.99242, 0.57511},
                    row{"collision",
                        {5.99924, 19.5975, 460.894},
                        {5.99242, -6.19633, 46.0950},
                        1691.64,
                        8.68975,
                        14.2823,
                        31.0426}),
    [](const auto& i) { return i.param.name; });

TEST(riemann_exact, mirror_image) {
  const riemann_state a{1, 0.3, 1}, b{0.125, -0.1, 0.1};
  const riemann_exact s(a, b, 1.4), m({b.density, -b.velocity, b.pressure}, {a.density, -a.velocity, a.pressure}, 1.4);
  for (double v = -2.013; v < 2.5; v += 0.07) {
    EXPECT_NEAR(s.at(v).density, m.at(-v).density, 1e-14);
    EXPECT_NEAR(s.at(v).velocity, -m.at(-v).velocity, 1e-14);
    EXPECT_NEAR(s.at(v).pressure, m.at(-v).pressure, 1e-14);
  }
}

/// The integral form of the conservation laws over the whole fan: what flows in at the sides changes the content.
TEST(riemann_exact, conserves) {
  const double gamma = 5.0 / 3;
  const riemann_state a{1, 0.3, 1}, b{0.2, -0.7, 0.1};
  const riemann_exact s(a, b, gamma);
  const double lower = s.leftmost() - 0.1, upper = s.rightmost() + 0.1;
  const int n = 400000;
  double mass = 0, momentum = 0, energy = 0;
  for (int i = 0; i < n; ++i) {
    const riemann_state q = s.at(lower + (i + 0.5) * (upper - lower) / n);
    mass += q.density;
    momentum += q.density * q.velocity;
    energy += q.density * q.velocity * q.velocity / 2 + q.pressure / (gamma - 1);
  }
  const double w = (upper - lower) / n;
  const auto e = [&](const riemann_state& q) {
    return q.density * q.velocity * q.velocity / 2 + q.pressure / (gamma - 1);
  };
  // At t = 1; the midpoint rule errs by one sample at each jump.
  EXPECT_NEAR(mass * w, upper * b.density - lower * a.density + a.density * a.velocity - b.density * b.velocity, 2e-5);
  EXPECT_NEAR(momentum * w,
              upper * b.density * b.velocity - lower * a.density * a.velocity + a.density * a.velocity * a.velocity +
                  a.pressure - b.density * b.velocity * b.velocity - b.pressure,
              2e-5);
  EXPECT_NEAR(energy * w,
              upper * e(b) - lower * e(a) + a.velocity * (e(a) + a.pressure) - b.velocity * (e(b) + b.pressure), 2e-5);
}

TEST(riemann_exact, vacuum_is_refused) {
  EXPECT_THROW(riemann_exact({1, -20, 0.4}, {1, 20, 0.4}, 1.4), core::user_error);
}

}  // namespace
}  // namespace rednova::problem
