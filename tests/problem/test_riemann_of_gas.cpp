// The solver of the Riemann problem for any gas: against the closed form, and against the conservation laws.
#include "problem/riemann_of_gas.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/check.hpp"
#include "problem/riemann_exact.hpp"

namespace rednova::problem {
namespace {

/// Shock and fan, two fans, two shocks, in ideal gas. A fan is read off linearly between a thousand rays, 1e-6 of its
/// height; the shock of ratio 1e4 is the hardest root.
TEST(riemann_of_gas, is_the_closed_form_for_ideal_gas) {
  const riemann_state a{1, 0.3, 1}, b{0.125, -0.1, 0.1}, thin{1, 0, 0.01}, hot{1, 0, 100};
  const std::pair<riemann_state, riemann_state> cases[] = {
      {a, b}, {b, a}, {{1, -1, 0.4}, {1, 1, 0.4}}, {{1, 2, 1}, {0.5, -3, 1}}, {thin, hot}};
  for (const auto& [left, right] : cases) {
    const riemann_exact closed(left, right, 1.4);
    const riemann_of_gas s(left, right, eos::ideal_gas{1.4});
    EXPECT_NEAR(s.contact_pressure() / closed.contact_pressure(), 1, 1e-10);
    EXPECT_NEAR(s.contact_speed(), closed.contact_speed(), 1e-10 * (1 + std::fabs(closed.contact_speed())));
    EXPECT_NEAR(s.leftmost() / closed.leftmost(), 1, 1e-10);
    EXPECT_NEAR(s.rightmost() / closed.rightmost(), 1, 1e-10);
    for (double v = closed.leftmost() * 1.1; v < closed.rightmost() * 1.1; v += 0.0371) {
      const riemann_state x = s.at(v), y = closed.at(v);
      EXPECT_NEAR(x.density, y.density, 3e-6 * y.density) << v;
      EXPECT_NEAR(x.velocity, y.velocity, 3e-6 * (1 + std::fabs(y.velocity))) << v;
      EXPECT_NEAR(x.pressure, y.pressure, 5e-6 * y.pressure) << v;
    }
  }
}

/// Half degenerate gas: what flows in at the sides changes the content, for mass, momentum and energy.
TEST(riemann_of_gas, conserves_in_degenerate_gas) {
  const eos::gas gas = eos::white_dwarf{5.0 / 3, 0.4, 1.0, 1.0};
  const auto cold = [&](double rho) { return gas.pressure(rho, gas.energy_of_heat(rho, 0, 0), 0); };
  const riemann_state left{2, 0.2, 1.5 * cold(2)}, right{0.2, -0.1, 1.001 * cold(0.2)};
  const riemann_of_gas s(left, right, gas);
  const double a = s.leftmost() - 0.1, b = s.rightmost() + 0.1;
  const auto content = [&](const riemann_state& q, int n) {
    const double e = gas.energy_of_pressure(q.density, q.pressure, 0);
    return n == 0 ? q.density : n == 1 ? q.density * q.velocity : e + q.density * q.velocity * q.velocity / 2;
  };
  const auto flux = [&](const riemann_state& q, int n) {
    return content(q, n) * q.velocity + (n == 0 ? 0 : n == 1 ? q.pressure : q.pressure * q.velocity);
  };
  constexpr int points = 200000;
  for (int n = 0; n < 3; ++n) {
    double sum = 0;
    for (int i = 0; i < points; ++i) sum += content(s.at(a + (i + 0.5) / points * (b - a)), n) * (b - a) / points;
    const double expected = b * content(right, n) - a * content(left, n) + flux(left, n) - flux(right, n);
    // Two jumps cost half a point each.
    EXPECT_NEAR(sum, expected, 1e-5 * std::fabs(expected)) << n;
  }
}

TEST(riemann_of_gas, a_vacuum_is_refused) {
  EXPECT_THROW(riemann_of_gas({1, -20, 0.4}, {1, 20, 0.4}, eos::ideal_gas{1.4}), core::user_error);
}

}  // namespace
}  // namespace rednova::problem
