#include "stellar/structure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stellar/root.hpp"

namespace rednova::stellar {
namespace {

const composition polytrope_of_index_3_2{};
const composition with_core{.envelope_index = 1.5, .core_index = 3, .core_fraction = 0.2, .mu_ratio = 2};

double density(const stratification& s, double h) { return s.core_density(h, 0) + s.envelope_density(h, 0); }

/// index_power multiplies and takes roots where pow would be slow; each of its few operations rounds once.
TEST(structure, powers) {
  for (double n : {0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 5.0, 2.3}) {
    for (double x : {0.0, 1e-9, 0.3, 1.0, 17.0}) EXPECT_NEAR(index_power(x, n), std::pow(x, n), 1e-15 * std::pow(x, n));
  }
}

/// p = K rho^(1+1/n) with one K, and H = (n+1) p / rho.
TEST(structure, polytrope) {
  const stratification s(polytrope_of_index_3_2);
  for (double h : {1e-3, 0.2, 1.7}) {
    EXPECT_NEAR(s.pressure(h, 0) / std::pow(density(s, h), 5.0 / 3.0), 1 / 2.5, 1e-14);
    EXPECT_NEAR(2.5 * s.pressure(h, 0) / density(s, h), h, 1e-14 * h);
  }
  EXPECT_EQ(density(s, -0.1), 0);
  EXPECT_EQ(s.pressure(-0.1, 0), 0);
}

/// dp/dH = rho on both sides of the interface, p continuous, rho jumps by the ratio of molecular weights.
TEST(structure, bipolytrope) {
  const double interface = 0.4;
  const stratification s(with_core, interface);
  const double d = 1e-5;
  for (double h : {0.1, 0.39, 0.41, 1.0}) {
    // Central differences err by d²/6 times the third derivative, of order 10 here, and by rounding / d.
    EXPECT_NEAR((s.pressure(h + d, 0) - s.pressure(h - d, 0)) / (2 * d), density(s, h), 1e-8);
  }
  EXPECT_NEAR(s.pressure(interface * (1 + 1e-12), 0), s.pressure(interface * (1 - 1e-12), 0), 1e-11);
  EXPECT_NEAR(density(s, interface * (1 + 1e-12)) / density(s, interface * (1 - 1e-12)), 2, 1e-9);
  EXPECT_EQ(s.core_density(0.39, 0), 0);
  EXPECT_EQ(s.envelope_density(0.41, 0), 0);
}

/// With equal indices and no jump the core is no different from the envelope.
TEST(structure, core_like_its_envelope) {
  const composition same{.envelope_index = 1.5, .core_index = 1.5, .core_fraction = 0.2, .mu_ratio = 1};
  const stratification s(same, 0.4), t(polytrope_of_index_3_2);
  for (double h : {0.1, 0.39, 0.4, 0.41, 1.0}) EXPECT_NEAR(density(s, h), density(t, h), 1e-14);
}

/// A cell that the interface crosses is shared: its core grows steadily from nothing to all.
TEST(structure, shared_cells) {
  const stratification s(with_core, 0.4);
  EXPECT_EQ(s.core_share(0.29, 0.1), 0);
  EXPECT_NEAR(s.core_share(0.4, 0.1), 0.5, 1e-14);
  EXPECT_NEAR(s.core_share(0.45, 0.1), 0.75, 1e-14);
  EXPECT_EQ(s.core_share(0.51, 0.1), 1);
}

TEST(root, finds_smooth_and_kinked_zeros) {
  EXPECT_NEAR(find_root([](double x) { return std::cos(x); }, 0, 3, 1e-14), std::acos(-1.0) / 2, 1e-13);
  EXPECT_NEAR(find_root([](double x) { return x < 0.7 ? -1e-9 : x - 0.7; }, 0, 5, 1e-12), 0.7, 2e-9);
  EXPECT_EQ(find_root([](double x) { return x; }, 0, 1, 1e-12), 0);
  EXPECT_THROW(find_root([](double) { return 1.0; }, 0, 1, 1e-12), std::logic_error);
  EXPECT_FALSE(find_root_if_any([](double) { return 1.0; }, 0, 1, 1e-12));
  EXPECT_FALSE(find_root_if_any([](double x) { return x / x - 0.5; }, 0, 1, 1e-12));  // no number at 0
}

}  // namespace
}  // namespace rednova::stellar
