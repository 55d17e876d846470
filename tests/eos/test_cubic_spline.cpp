// Splines on uniform nodes: exact for cubics, of fourth order, and smooth.
#include "eos/cubic_spline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace rednova;

double at(const std::vector<double>& c, double place, std::size_t nodes) {
  const eos::spline_weights<double> s(place, double(nodes - 1));
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) sum += s.w[k] * c[static_cast<std::size_t>(s.interval) + k];
  return sum;
}
double slope_at(const std::vector<double>& c, double place, std::size_t nodes) {
  const eos::spline_weights<double> s(place, double(nodes - 1));
  double sum = 0, d[4];
  s.slopes(d);
  for (std::size_t k = 0; k < 4; ++k) sum += d[k] * c[static_cast<std::size_t>(s.interval) + k];
  return sum;
}

/// Values of 1e2 with 20 operations.
TEST(cubic_spline, reproduces_cubics) {
  for (const std::size_t n : {5u, 6u, 9u}) {
    const auto f = [](double x) { return 1.0 + x * (2.0 - x * (3.0 - 0.5 * x)); };
    const auto slope = [](double x) { return 2.0 - x * (6.0 - 1.5 * x); };
    std::vector<double> nodes;
    for (std::size_t i = 0; i < n; ++i) nodes.push_back(f(double(i)));
    const auto c = eos::spline_through(nodes);
    ASSERT_EQ(c.size(), eos::spline_coefficients(n));
    for (double x = 0; x <= double(n - 1); x += 0.125) {
      EXPECT_NEAR(at(c, x, n), f(x), 1e-12) << x;
      EXPECT_NEAR(slope_at(c, x, n), slope(x), 1e-12) << x;
    }
  }
}

/// Half the step, a sixteenth of the error: 12 is asked.
TEST(cubic_spline, fourth_order) {
  const auto error = [](std::size_t n) {
    std::vector<double> nodes;
    for (std::size_t i = 0; i < n; ++i) nodes.push_back(std::sin(6.0 * double(i) / double(n - 1)));
    const auto c = eos::spline_through(nodes);
    double most = 0;
    for (int i = 0; i <= 1000; ++i) {
      most = std::max(most, std::abs(at(c, i * 1e-3 * double(n - 1), n) - std::sin(6e-3 * i)));
    }
    return most;
  };
  EXPECT_LT(error(41), error(21) / 12.0);
  EXPECT_LT(error(81), error(41) / 12.0);
  EXPECT_LT(error(81), 1e-6);
}

TEST(cubic_spline, ends_hold_outside) {
  const std::vector<double> nodes{1.0, 4.0, 2.0, 5.0, 3.0, 7.0};
  const auto c = eos::spline_through(nodes);
  EXPECT_NEAR(at(c, -3.0, nodes.size()), 1.0, 1e-14);
  EXPECT_NEAR(at(c, 50.0, nodes.size()), 7.0, 1e-14);
}

}  // namespace
