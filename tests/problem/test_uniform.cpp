#include <gtest/gtest.h>

#include <cmath>

#include "simulated.hpp"

namespace rednova::problem::test {
namespace {

class uniform_flow : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

/// Every field on a rotating mesh of three levels, adapted on the way, stays what it was but for rounding.
TEST_P(uniform_flow, stays_uniform) {
  exec::context where;
  const auto [reconstruction, riemann] = GetParam();
  simulated run(where, "uniform_flow",
                {std::string("hydro.reconstruction=\"") + reconstruction + "\"",
                 std::string("hydro.riemann=\"") + riemann + "\""});
  const error_norms e = run.run().error();
  const step::simulation& s = *run.state;
  EXPECT_GT(s.tree.leaves_by_level()[1], 0);
  EXPECT_GT(s.tree.leaves_by_level()[3], 0);
  // Mean errors after 10 steps of 3 stages; values are of order 1.
  EXPECT_LT(e.density, 2e-15);
  EXPECT_LT(e.momentum, 2e-15);
  EXPECT_LT(e.energy, 5e-15);
  EXPECT_LT(e.fields[static_cast<std::size_t>(s.fields.entropy())], 1e-14);
  for (int d = 0; d < 3; ++d) EXPECT_LT(e.fields[static_cast<std::size_t>(s.fields.spin(d))], 2e-15);
}

INSTANTIATE_TEST_SUITE_P(schemes, uniform_flow,
                         testing::Combine(testing::Values("ppm", "plm"), testing::Values("hllc", "kt")),
                         [](const auto& i) { return std::string(std::get<0>(i.param)) + "_" + std::get<1>(i.param); });

}  // namespace
}  // namespace rednova::problem::test
