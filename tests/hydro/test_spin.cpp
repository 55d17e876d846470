// The spin's part: uniform rotation is kept, excess spin returns to the flow, order is not lost.
#include <gtest/gtest.h>

#include <cmath>

#include "hydro/spin_feedback.hpp"
#include "one_block.hpp"
#include "small_mesh.hpp"

namespace {

using namespace rednova;
using core::vec3d;
using test::edge;
using test::flow;
using test::one_block;
using test::results;
using test::small_mesh;
constexpr int N = mesh::N;

/// A fluid that turns as a whole with spin to match is what it would be without feedback: the excess vanishes and
/// the fluxes are those of the linear velocity field.
TEST(spin, uniform_rotation_has_no_excess) {
  auto par = test::scheme(config::reconstruction::ppm, config::riemann_solver::hllc, true);
  one_block with(par);
  par.spin = false;
  one_block without(par);
  const vec3d omega{0.3, -0.5, 0.9};
  for (one_block* b : {&with, &without})
    b->fill([&](vec3d x) { return b->conserved(0.7, cross(omega, x), 1.3, (b->in.h * b->in.h / 6) * omega); });
  const results a = with.run(), c = without.run();
  for (int q = 0; q < with.fields.spin(); ++q)
    one_block::each([&](int i, int j, int k) { ASSERT_NEAR(a.at(q, i, j, k), c.at(q, i, j, k), 1e-12) << q; });
}

/// The same in the frame that turns with the fluid: a rigid disc at rest on the grid, in pressure balance or not:
/// no mass moves, and spin feels only what its rotation with the grid takes back, (Omega × x_c) × s.
TEST(spin, rigid_disc_on_the_rotating_grid) {
  one_block b(test::scheme(config::reconstruction::ppm, config::riemann_solver::hllc, true));
  b.in.rotation = 0.9;
  b.fill([&](vec3d x) { return b.conserved(1.0, {-0.9 * x.y, 0.9 * x.x, 0}, 1.0, {0, 0, b.in.h * b.in.h / 6 * 0.9}); });
  const results r = b.run();
  // Rounding of products of size one over the cell width.
  for (int q = 0; q < b.fields.size(); ++q)
    one_block::each([&](int i, int j, int k) { ASSERT_NEAR(r.at(q, i, j, k), 0.0, 1e-13 / b.in.h) << q; });
}

/// Excess spin raises the slope of a shear up to what a limited slope may be, never beyond; none acts on an extremum.
TEST(spin, feedback_is_limited) {
  const auto turned = [](double down, double up, double excess) {
    double minus = -down / 2, plus = up / 2;
    hydro::turn_edges(0.0, down, up, excess, minus, plus);
    return plus - minus;
  };
  EXPECT_NEAR(turned(1, 1, 0.1), 1.2, 1e-15);
  EXPECT_NEAR(turned(1, 1, 5), 2.0, 1e-15);
  EXPECT_NEAR(turned(1, 1, -5), 0.0, 1e-15);
  double minus = 0, plus = 0;
  hydro::turn_edges(0.0, 1.0, -1.0, 5.0, minus, plus);
  EXPECT_EQ(plus - minus, 0.0);
}

/// The isentropic vortex of Shu (1998) at rest, beta = 5, gamma = 1.4.
flow vortex(vec3d x) {
  const double pi = std::acos(-1.0), gamma = 1.4, beta = 5, r2 = x.x * x.x + x.y * x.y;
  const double turn = beta / (2 * pi) * std::exp((1 - r2) / 2);
  const double t = 1 - (gamma - 1) * beta * beta / (8 * gamma * pi * pi) * std::exp(1 - r2);
  flow f;
  f.rho = std::pow(t, 1 / (gamma - 1));
  f.p = std::pow(f.rho, gamma);
  f.v = {1 - turn * x.y, 0.5 + turn * x.x, 0};
  f.curl = {0, 0, turn * (2 - r2)};
  return f;
}

/// Mean error of density after the vortex has moved by (2, 1).
double vortex_error(int blocks, bool spin) {
  config::hydro par;
  par.gamma = 1.4;
  par.spin = spin;
  small_mesh m(par, {blocks, blocks, 1}, {-5, -5, 0}, 10.0 / (blocks * N),
               {edge::periodic, edge::periodic, edge::periodic});
  m.fill(vortex, 3);
  small_mesh end = m;
  m.run(2);
  end.fill([](vec3d x) { return vortex(x); }, 3);
  double sum = 0;
  small_mesh exact(par, {blocks, blocks, 1}, {-5, -5, 0}, 10.0 / (blocks * N),
                   {edge::periodic, edge::periodic, edge::periodic});
  exact.fill([](vec3d x) { return vortex({x.x - 2, x.y - 1, 0}); }, 3);
  m.each_cell([&](int i, int j, int k) { sum += std::abs(m.density(i, j, k) - exact.density(i, j, k)); });
  return sum / (m.cells().x * m.cells().y * m.cells().z);
}

/// Order of convergence at least that without feedback, and the error not above.
TEST(spin, feedback_keeps_the_order) {
  const double coarse[2] = {vortex_error(4, false), vortex_error(4, true)};
  const double fine[2] = {vortex_error(8, false), vortex_error(8, true)};
  const double order[2] = {std::log2(coarse[0] / fine[0]), std::log2(coarse[1] / fine[1])};
  RecordProperty("without", std::to_string(order[0]));
  RecordProperty("with", std::to_string(order[1]));
  EXPECT_GT(order[1], 1.9);
  EXPECT_GT(order[1], order[0] - 0.1);
  EXPECT_LT(fine[1], 1.05 * fine[0]);
}

/// On a periodic mesh that turns, total angular momentum does not exist, but with still air around a vortex it
/// does: x × s + l stays to rounding with spin, and x × s alone changes without.
TEST(spin, angular_momentum_of_a_vortex) {
  for (const bool spin : {true, false}) {
    config::hydro par;
    par.gamma = 1.4;
    par.spin = spin;
    small_mesh m(par, {4, 4, 1}, {-8, -8, 0}, 0.5, {edge::zero_gradient, edge::zero_gradient, edge::periodic});
    m.fill([](vec3d x) {
      flow f = vortex(x);
      f.v -= vec3d{1, 0.5, 0};
      return f;
    });
    const auto before = m.angular_momentum();
    for (int n = 0; n < 5; ++n) m.step(0.1);
    const auto after = m.angular_momentum();
    const double drift = std::abs(after[0].z + after[1].z - before[0].z - before[1].z);
    const double size = std::abs(before[0].z);
    // At the edge the vortex is exp(-32) of its strength.
    if (spin) {
      EXPECT_LT(drift, 1e-11 * size);
    } else {
      EXPECT_GT(drift, 1e-6 * size);
    }
  }
}

}  // namespace
