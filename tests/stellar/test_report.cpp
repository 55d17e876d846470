#include "stellar/report.hpp"

#include <gtest/gtest.h>

namespace rednova::stellar {
namespace {

/// A model as far as the report looks at it, whose rotation is off by a share of what the forces on star 1 ask for.
std::string report_of(double off, const run_settings& settings) {
  model m(mesh::tree::uniform({}, 0));
  m.omega = 2;
  m.star[0] = {.mass = 1, .centre = -0.5, .omega2 = 4};
  m.star[1] = {.mass = 1, .centre = 0.5, .omega2 = 4 * (1 + off)};
  m.potential = -1;
  m.pressure = 1.0 / 3;
  return report({}, m, config::unit_system::code, settings).text();
}

bool says(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

TEST(report, warns_where_forces_and_rotation_do_not_fit) {
  EXPECT_FALSE(says(report_of(9e-4, {}), "warning"));
  for (const double off : {1.1e-3, -1.1e-3}) {
    const std::string text = report_of(off, {});
    EXPECT_TRUE(says(text, "warning: the rotation is off by more than 0.001"));
    EXPECT_TRUE(says(text, "lower problem.tolerance"));
    EXPECT_TRUE(says(text, "forces on the donor                    -      0.0011"));
    EXPECT_TRUE(says(text, "forces on the accretor                 -           0"));
  }
}

TEST(report, tells_the_order_of_gravity_and_the_eccentricity) {
  EXPECT_TRUE(says(report_of(0, {.gravity_order = 5}), "gravity of order 5"));
  EXPECT_FALSE(says(report_of(0, {}), "eccentricity"));
  EXPECT_TRUE(says(report_of(0, {.slowdown = 0.1}), "eccentricity by slowdown               -        0.19"));
  EXPECT_TRUE(says(report_of(0, {.slowdown = -0.1}), "eccentricity by slowdown               -        0.21"));
}

}  // namespace
}  // namespace rednova::stellar
