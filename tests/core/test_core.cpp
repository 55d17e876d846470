// The small things under everything: compensated sums, units, vectors, contracts.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "core/check.hpp"
#include "core/compensated.hpp"
#include "core/constants.hpp"
#include "core/units.hpp"
#include "core/vec3.hpp"

namespace rednova::core {
namespace {

TEST(compensated_sum, keeps_what_plain_sums_lose) {
  compensated sum;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) sum += term;  // Neumaier's own example; Kahan's sum gives 0
  EXPECT_EQ(sum.value(), 2);
}

TEST(compensated_sum, does_not_lose_accuracy_with_the_number_of_terms) {
  compensated sum;
  for (int i = 0; i < 1000000; ++i) sum += 0.1;
  EXPECT_EQ(sum.value(), 1e5);  // a plain sum is off by 1e-6
  EXPECT_EQ(compensated(0.25).value(), 0.25);
}

TEST(compensated_sum, of_parts_is_that_of_the_whole) {
  compensated first, second;
  for (const double term : {1e100, 1.0}) first += term;
  for (const double term : {-1e100, 1.0}) second += term;
  first += second;
  EXPECT_EQ(first.value(), 2);
}

TEST(units, of_the_sun_make_the_gravitational_constant_one) {
  const units u = units::self_gravitating(solar_radius, solar_mass);
  // G in code units: cm³ g⁻¹ s⁻² over length³ mass⁻¹ time⁻².
  EXPECT_NEAR(newton_g * u.mass * u.time * u.time / std::pow(u.length, 3), 1, 4e-16);
  EXPECT_NEAR(u.time, 1592.86, 0.01);  // s, docs/units.md
  EXPECT_NEAR(u.velocity(), 4.3676e7, 1e3);
  EXPECT_NEAR(u.density(), 5.9053, 1e-4);
  EXPECT_NEAR(u.energy(), 3.7931e48, 1e44);
  EXPECT_NEAR(u.pressure(), 1.1265e16, 1e12);
  EXPECT_DOUBLE_EQ(u.pressure() * std::pow(u.length, 3), u.energy());
}

TEST(units, of_bare_numbers_are_one) {
  const units u;
  for (const double factor : {u.velocity(), u.density(), u.energy(), u.pressure()}) EXPECT_EQ(factor, 1);
}

TEST(vec3, adds_scales_and_multiplies) {
  const vec3d a{1, 2, 3}, b{4, -5, 6};
  EXPECT_EQ(a + b, (vec3d{5, -3, 9}));
  EXPECT_EQ(a - b, (vec3d{-3, 7, -3}));
  EXPECT_EQ(-a, (vec3d{-1, -2, -3}));
  EXPECT_EQ(2.0 * a, a * 2.0);
  EXPECT_EQ(dot(a, b), 12);
  EXPECT_EQ(cross(vec3d{1, 0, 0}, vec3d{0, 1, 0}), (vec3d{0, 0, 1}));  // right-handed
  EXPECT_EQ(cross(a, b), -cross(b, a));
  EXPECT_EQ(dot(a, cross(a, b)), 0);
  for (int d = 0; d < 3; ++d) EXPECT_EQ(a[d], d + 1);
}

TEST(contracts, name_condition_and_place) {
  EXPECT_NO_THROW(EXPECT(1 + 1 == 2));
  EXPECT_THROW(EXPECT(1 + 1 == 3), std::logic_error);
  EXPECT_THROW(ENSURE(false), std::logic_error);
  EXPECT_THROW(fail("{} is wrong", "this"), user_error);
}

}  // namespace
}  // namespace rednova::core
