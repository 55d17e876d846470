// What products of averages lack of a cell's weight, in a star of index 1 whose cells' averages are known.
#include "hydro/gravity_stress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "one_block.hpp"

namespace {

using namespace rednova;
using core::vec3d;

/// A star of index 1 and radius 1, G = 1: rho = sin(pi r) / (pi r), p = (2 / pi) rho², g = (4 / pi) grad rho.
struct star {
  static constexpr double k = 2 / std::numbers::pi;

  static double density(const vec3d& x) {
    const double r = std::numbers::pi * std::sqrt(dot(x, x));
    return std::sin(r) / r;
  }
  static vec3d acceleration(const vec3d& x) {
    const double r = std::sqrt(dot(x, x)), a = std::numbers::pi * r;
    return (2 * k * (std::cos(a) - std::sin(a) / a) / (r * r)) * x;
  }
};

/// Mean over a cell, by Gauss's five points along each direction.
template <class F>
auto mean(const vec3d& centre, double h, const F& of) {
  constexpr std::array<double, 5> at{-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                     0.9061798459386640};
  constexpr std::array<double, 5> weight{0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832,
                                         0.1184634425280945};
  decltype(of(centre)) sum{};
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t l = 0; l < 5; ++l)
        sum = sum + weight[i] * weight[j] * weight[l] * of(centre + (0.5 * h) * vec3d{at[i], at[j], at[l]});
  return sum;
}

/// By how much the momentum of cells of that width at rest changes, over the largest weight.
double imbalance(double h, bool well_balanced) {
  config::hydro par = test::scheme(config::reconstruction::ppm, config::riemann_solver::hllc, true, 1);
  par.gamma = 2;
  par.well_balanced = well_balanced;
  test::one_block b(par, test::weight::given);
  b.in.h = h;
  b.in.corner = vec3d{0.16, 0.13, 0.11} - (0.5 * mesh::N * h) * vec3d{1, 1, 1};
  b.fill([&](const vec3d& x) {
    const auto pressure = [](const vec3d& y) { return star::k * std::pow(star::density(y), 2); };
    std::vector<double> u = b.conserved(mean(x, h, star::density), {}, mean(x, h, pressure), {});
    const vec3d g = mean(x, h, star::acceleration);
    for (int d = 0; d < 3; ++d) u[static_cast<std::size_t>(b.fields.acceleration(d))] = g[d];
    return u;
  });
  const test::results r = b.run();
  double worst = 0, weight = 0;
  test::one_block::each([&](int i, int j, int k) {
    for (int d = 0; d < 3; ++d) {
      const double pull = b.at(0, i, j, k) * b.at(b.fields.acceleration(d), i, j, k);
      worst = std::max(worst, std::fabs(r.at(b.fields.momentum(d), i, j, k) + pull));
      weight = std::max(weight, std::fabs(pull));
    }
  });
  return worst / weight;
}

// Products of averages alone leave (h²/12) grad rho · grad g, of second order: 1.0e-4 of the weight with the widest
// cells. Measured 6.5e-7, 4.2e-8 and 2.7e-9, orders 3.95 and 3.97.
TEST(gravity_stress, a_star_rests_to_fourth_order) {
  double before = 0;
  for (const double h : {0.02, 0.01, 0.005}) {
    const double now = imbalance(h, true);
    if (before == 0) {
      EXPECT_LT(now, 2e-6);
      EXPECT_GT(imbalance(h, false), 50 * now);
    } else {
      EXPECT_GT(std::log2(before / now), 3.7);
    }
    before = now;
  }
}

// At a face of thick gas with thin gas behind, the density counts at most twice the thinner: no more is pulled about
// than is there.
TEST(gravity_stress, leaves_thin_gas_alone) {
  const hydro::gravity_stress stress{0.1};
  EXPECT_EQ(hydro::gravity_stress::density(1.0, 1e-6), 2e-6);
  EXPECT_EQ(hydro::gravity_stress::density(1e-6, 1.0), 2e-6);
  EXPECT_EQ(hydro::gravity_stress::density(1.0, 1.5), 1.25);
  EXPECT_NEAR(stress.flux(2e-6, 3.0, false), -0.1 / 12 * 2e-6 * 3, 1e-20);
}

}  // namespace
