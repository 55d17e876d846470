#include "stellar/anderson.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rednova::stellar {
namespace {

/// A linear map whose modes shrink by 0.95, 0.7 and -0.5, one in each third of the cells; its fixed point is 1.
struct linear {
  mesh::tree t = mesh::tree::uniform({}, 1);
  exec::context context{2};

  static double factor(int c) {
    constexpr double factors[] = {0.95, 0.7, -0.5};
    return factors[c % 3];
  }
  mesh::block_data residual(const mesh::block_data& rho) const {
    mesh::block_data r(t.leaves(), 1);
    for (int leaf = 0; leaf < t.leaves(); ++leaf)
      for (int c = 0; c < mesh::cells; ++c) r.at(leaf)[c] = (factor(c) - 1) * (rho.at(leaf)[c] - 1);
    return r;
  }
  double error(const mesh::block_data& rho) const {
    double most = 0;
    for (int leaf = 0; leaf < t.leaves(); ++leaf)
      for (int c = 0; c < mesh::cells; ++c) most = std::max(most, std::fabs(rho.at(leaf)[c] - 1));
    return most;
  }
  /// Iterations until no cell is farther from the fixed point than that.
  int iterations(double error_at_most, double relaxation, bool forgetful) {
    mesh::block_data rho(t.leaves(), 1);
    anderson_mixing mixing(context, t, relaxation);
    int n = 0;
    for (; n < 1000 && error(rho) > error_at_most; ++n) {
      mixing.mix(rho, residual(rho));
      if (forgetful) mixing.forget();
    }
    return n;
  }
};

TEST(anderson_mixing, ends_after_as_many_steps_as_modes) {
  linear map;
  // A start, and a step for each of three modes, from which the combination without a residual is known; one more for
  // what rounding of the products leaves.
  EXPECT_LE(map.iterations(1e-7, 1, false), 5);
  EXPECT_LE(map.iterations(1e-7, 0.5, false), 5);
}

TEST(anderson_mixing, without_a_past_takes_the_residual) {
  linear map;
  // 0.95^n is 1e-7.
  EXPECT_EQ(map.iterations(1e-7, 1, true), std::ceil(std::log(1e-7) / std::log(0.95)));
}

TEST(anderson_mixing, leaves_no_negative_density_and_survives_no_change) {
  linear map;
  mesh::block_data rho(map.t.leaves(), 1), residual(map.t.leaves(), 1), nothing(map.t.leaves(), 1);
  residual.at(0)[0] = -3;
  anderson_mixing mixing(map.context, map.t, 1);
  mixing.mix(rho, residual);
  EXPECT_EQ(rho.at(0)[0], 0);
  for (int n = 0; n < 3; ++n) mixing.mix(rho, nothing);
  for (int c = 0; c < mesh::cells; ++c) EXPECT_EQ(rho.at(0)[c], 0);
}

}  // namespace
}  // namespace rednova::stellar
