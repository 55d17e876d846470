// Roots, logarithm and hyperbolic sine of arithmetic and bits.
#include "exec/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace rednova;

constexpr double unit = std::numeric_limits<double>::epsilon();

/// Numbers of all magnitudes, and numbers about 1.
double some_number(std::mt19937_64& random, int n) {
  std::uniform_real_distribution<double> decades(-300.0, 300.0), about_one(0.5, 2.0);
  return n % 2 == 0 ? std::pow(10.0, decades(random)) : about_one(random);
}

/// By the C library; 0.6 as a double would be 70 units off where a is 1e300.
double three_fifths_power(double a) { return static_cast<double>(std::pow(static_cast<long double>(a), 0.6L)); }

/// The C library's are right to half a unit.
TEST(elementary, right_to_rounding) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 200000; ++n) {
    const double a = some_number(random, n);
    ASSERT_NEAR(exec::cube_root(a) / std::cbrt(a), 1.0, 4 * unit) << a;
    ASSERT_NEAR(exec::natural_log(a), std::log(a), 2 * unit * std::abs(std::log(a))) << a;
    ASSERT_NEAR(exec::three_fifths_power(a) / three_fifths_power(a), 1.0, 4 * unit) << a;
  }
}

TEST(elementary, hyperbolic_sine_is_right_to_rounding) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> about_zero(-2.0, 2.0), wide(-690.0, 690.0), exponent(-300.0, 0.0);
  for (int n = 0; n < 100000; ++n) {
    for (const double a : {about_zero(random), wide(random), std::pow(10.0, exponent(random))}) {
      ASSERT_NEAR(exec::hyperbolic_sine(a) / std::sinh(a), 1.0, 6 * unit) << a;
    }
  }
  EXPECT_EQ(exec::hyperbolic_sine(0.0), 0.0);
}

TEST(elementary, ends) {
  EXPECT_EQ(exec::cube_root(0.0), 0.0);
  EXPECT_EQ(exec::three_fifths_power(0.0), 0.0);
  EXPECT_EQ(exec::natural_log(1.0), 0.0);
  for (const double a : {std::numeric_limits<double>::min(), std::numeric_limits<double>::max()}) {
    EXPECT_NEAR(exec::cube_root(a) / std::cbrt(a), 1.0, 4 * unit);
    EXPECT_NEAR(exec::natural_log(a) / std::log(a), 1.0, 2 * unit);
    EXPECT_NEAR(exec::three_fifths_power(a) / three_fifths_power(a), 1.0, 4 * unit);
  }
}

/// Each lane's four are those that a double has, in its order.
TEST(elementary, four_neighbours_at_a_time) {
  std::vector<double> data(200);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<double>(i);
  const exec::pack index([](auto lane) { return static_cast<double>((lane * 37 + 11) % 190); });
  exec::pack four[4];
  exec::gather_four(data.data(), index, four);
  for (int lane = 0; lane < exec::lanes<exec::pack>; ++lane) {
    double one[4];
    exec::gather_four(data.data(), index[static_cast<std::size_t>(lane)], one);
    for (int j = 0; j < 4; ++j) {
      EXPECT_EQ(one[j], (lane * 37 + 11) % 190 + j);
      EXPECT_EQ(four[j][static_cast<std::size_t>(lane)], one[j]);
    }
  }
}

/// The same of four rows of four with their weights.
TEST(elementary, four_rows_at_a_time) {
  std::vector<double> data(400);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = std::sqrt(static_cast<double>(i));
  const exec::pack index([](auto lane) { return static_cast<double>((lane * 37 + 11) % 190); });
  const exec::pack step([](auto lane) { return static_cast<double>(20 + lane); });
  exec::pack weights[4], four[4];
  for (int i = 0; i < 4; ++i) weights[i] = exec::pack([i](auto lane) { return 0.1 * i + 0.01 * lane; });
  exec::gather_rows(data.data(), index, step, weights, four);
  for (std::size_t lane = 0; lane < exec::pack::size(); ++lane) {
    double one[4], w[4];
    for (int i = 0; i < 4; ++i) w[i] = weights[i][lane];
    exec::gather_rows(data.data(), index[lane], step[lane], w, one);
    for (int j = 0; j < 4; ++j) {
      double sum = 0;
      for (int i = 0; i < 4; ++i) sum += w[i] * data[static_cast<std::size_t>(index[lane] + i * step[lane] + j)];
      EXPECT_NEAR(one[j] / sum, 1.0, 4 * unit);
      EXPECT_EQ(four[j][lane], one[j]);
    }
  }
}

/// Of a square within longer rows; beside it nothing is written.
TEST(elementary, rows_become_columns) {
  constexpr int n = exec::lanes<exec::pack>, from_row = n + 3, to_row = n + 1;
  std::vector<double> from(n * from_row), to(n * to_row, -1.0);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<double>(i);
  exec::transpose<exec::pack>(from.data(), from_row, to.data(), to_row);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) EXPECT_EQ(to[static_cast<std::size_t>(i * to_row + j)], j * from_row + i);
    EXPECT_EQ(to[static_cast<std::size_t>(i * to_row + n)], -1.0);
  }
}

TEST(elementary, lanes_are_doubles) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> about_zero(-2.0, 2.0), wide(-690.0, 690.0);
  for (int n = 0; n < 10000; ++n) {
    exec::pack a;
    for (std::size_t i = 0; i < exec::pack::size(); ++i) a[i] = some_number(random, n + static_cast<int>(i));
    const exec::pack root = exec::cube_root(a), log = exec::natural_log(a), power = exec::three_fifths_power(a);
    const exec::pack angle([&](auto) { return n % 2 == 0 ? wide(random) : about_zero(random); });
    const exec::pack sine = exec::hyperbolic_sine(angle);
    for (std::size_t i = 0; i < exec::pack::size(); ++i) {
      ASSERT_EQ(double(root[i]), exec::cube_root(double(a[i])));
      ASSERT_EQ(double(log[i]), exec::natural_log(double(a[i])));
      ASSERT_EQ(double(power[i]), exec::three_fifths_power(double(a[i])));
      ASSERT_EQ(double(sine[i]), exec::hyperbolic_sine(double(angle[i])));
    }
  }
}

}  // namespace
