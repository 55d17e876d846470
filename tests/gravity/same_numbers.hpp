// Blocks of numbers from two kernels that add the same products in different orders.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gravity/layout.hpp"

namespace rednova::gravity::test {

/// Compares blocks of layout.hpp, each number with the largest of its kind. The rounding of 1e3 to 1e5 terms adds up
/// like a walk: measured 1.3e-15 (points, R² = 3) to 1.2e-14 (order 3, root block), on processors with fused
/// multiply-adds.
inline void expect_same(const std::vector<double>& a, const std::vector<double>& b, int numbers) {
  constexpr double rounding = 5e-14;
  ASSERT_EQ(a.size(), b.size());
  const auto kind = [&](std::size_t i) { return i / index(HH) % index(numbers); };
  std::vector<double> most(index(numbers));
  for (std::size_t i = 0; i < b.size(); ++i) most[kind(i)] = std::max(most[kind(i)], std::abs(b[i]));
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    ASSERT_TRUE(std::isfinite(a[i])) << "number " << i;
    worst = std::max(worst, std::abs(a[i] - b[i]) / most[kind(i)]);
  }
  EXPECT_LT(worst, rounding);
}

}  // namespace rednova::gravity::test
