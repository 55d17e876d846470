// The spin's part: uniform rotation is kept, excess spin returns to the flow, order is not lost.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

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

/// config::hydro::density_contrast with which all cells count as a star's surface, so that their edges do not feel the
/// spin.
constexpr double every_cell_is_rough = 0.5;

/// Rate of exchange in time: w k c / h for short steps, and never more than a share of the excess in a step.
TEST(spin, exchange_is_bounded_by_the_step) {
  const double h = 0.25, c = 0.5, k = hydro::spin_exchange::strength;
  for (const double weight : {2.0, 6.0}) {
    const auto rate = [&](double dt) { return 3 / h * hydro::spin_exchange::speed(c, h, {dt, weight}); };
    EXPECT_NEAR(rate(0), weight * k * c / h, 1e-12 * weight * k * c / h);
    for (const double dt : {1e-3, 0.1, 10.0}) {
      EXPECT_GT(rate(dt) * dt, 0);
      EXPECT_LT(rate(dt) * dt, weight * hydro::spin_exchange::largest);
    }
    EXPECT_NEAR(rate(1e8) * 1e8, weight * hydro::spin_exchange::largest, 1e-5);
  }
}

/// Between like cells what differs in sign, as stencils do at a kink, is not exchanged; a thin cell takes and gives of
/// its own density.
TEST(spin, exchange_at_a_face) {
  const auto at_face = hydro::spin_exchange::at_face<double>;
  EXPECT_EQ(at_face(2, 2, 0.25, 0.75), 2 * 0.5);
  EXPECT_EQ(at_face(2, 2, 0.25, 4), 2 * 0.5);
  EXPECT_EQ(at_face(2, 2, -0.25, 0.75), 0);
  EXPECT_NEAR(at_face(1e-9, 1, -0.25, 0.75), 1e-9 * 0.25, 1e-17);
  EXPECT_EQ(at_face(1, 1e-9, 0.75, -0.25), at_face(1e-9, 1, -0.25, 0.75));
}

/// None where the density varies and the pressure does not, towards any neighbour; all of it in adiabatic gas, shocks
/// and uniform gas.
TEST(spin, no_excess_at_contacts) {
  constexpr std::ptrdiff_t row = mesh::M, plane = row * mesh::M;
  const auto limiter = [](std::ptrdiff_t away, double rho_beside, double p_beside) {
    std::vector<double> rho(mesh::ghosted_cells, 1.0), p(mesh::ghosted_cells, 1.0);
    const int c = mesh::ghosted(2, 3, 4);
    rho[c + away] = rho_beside;
    p[c + away] = p_beside;
    return hydro::contact_limiter<double>(rho.data() + c, p.data() + c);
  };
  for (const std::ptrdiff_t d : {std::ptrdiff_t{1}, std::ptrdiff_t{-1}, row, -row, plane, -plane}) {
    EXPECT_EQ(limiter(d, 1, 1), 1);
    EXPECT_NEAR(limiter(d, 1 - 0.0045, 1), 0.5, 1e-10) << "half-way from 0.003 to 0.006";
    EXPECT_EQ(limiter(d, 1.01, 1), 0);
    EXPECT_EQ(limiter(d, 0.1, 1), 0);
    EXPECT_EQ(limiter(d, 10, 1.5), 0);
    EXPECT_EQ(limiter(d, 1.01, 1.01), 1);
    EXPECT_EQ(limiter(d, 4, 100), 1) << "behind a strong shock";
    for (const double rho : {0.001, 0.5, 0.99, 1.01, 2.0, 1000.0}) EXPECT_EQ(limiter(d, rho, std::pow(rho, 1.2)), 1);
  }
}

/// Spin in gas at rest, where HLLC has no dissipation and feedback through edges does nothing: it turns the gas around
/// until its vorticity is that of the spin, and what the momenta gain is what the spin loses. So also at a star's
/// surface, where edges do not feel the spin. Of the sum the share `lost` may have left through the sides, and of the
/// largest spin the share `left` may be in excess in the end.
void expect_excess_goes_to_the_flow(const config::hydro& par, double lost, double left) {
  small_mesh m(par, {8, 8, 1}, {-1, -1, 0}, 1.0 / 32, {edge::zero_gradient, edge::zero_gradient, edge::periodic});
  const double h = m.width(), c = std::sqrt(par.gamma);
  m.fill([](vec3d x) {
    flow f;
    f.curl.z = 0.01 * std::exp(-(x.x * x.x + x.y * x.y) / 0.03);
    return f;
  });
  const auto before = m.angular_momentum();
  for (int n = 0; n < 500; ++n) m.step(0.2 * h / c);
  const auto after = m.angular_momentum();
  EXPECT_NEAR(after[0].z + after[1].z, before[1].z, lost * before[1].z);
  // What turns as a whole has l = rho h²/12 curl v; of a region that is many cells wide the momenta hold nearly all.
  EXPECT_GT(after[0].z, 0.95 * before[1].z);
  double excess = 0, spin = 0;
  m.each_cell([&](int i, int j, int k) {
    if (i < 1 || j < 1 || i > m.cells().x - 2 || j > m.cells().y - 2) return;
    const double curl = (m.velocity(i + 1, j, k).y - m.velocity(i - 1, j, k).y - m.velocity(i, j + 1, k).x +
                         m.velocity(i, j - 1, k).x) /
                        (2 * h);
    const double l = m.vector(m.fields().spin(), i, j, k).z;
    excess = std::max(excess, std::abs(l - h * h / 12 * curl));
    spin = std::max(spin, std::abs(l));
  });
  EXPECT_LT(excess, left * spin);
}
// Edges are monotonised there, which clips the extrema of the flow: measured 6.7e-5 lost and 0.13 left.
TEST(spin, excess_at_a_surface_goes_to_the_flow) {
  config::hydro par;
  par.density_contrast = every_cell_is_rough;
  expect_excess_goes_to_the_flow(par, 2e-4, 0.2);
}
TEST(spin, excess_in_smooth_gas_goes_to_the_flow) { expect_excess_goes_to_the_flow({}, 1e-5, 0.1); }

/// Largest excess of the spin over the vorticity's, over the largest spin, after 200 steps of a field of whirls that
/// moves with `speed`, with a disturbance of a hundredth to grow from.
double excess_of_whirls(const config::hydro& par, double speed) {
  const double k = 2 * std::acos(-1.0), v = 0.02;
  small_mesh m(par, {4, 4, 1}, {0, 0, 0}, 1.0 / 32, {edge::periodic, edge::periodic, edge::periodic});
  m.fill(
      [&](vec3d x) {
        flow f;
        const double seed = 1 + 0.01 * std::sin(997 * x.x + 613 * x.y);
        f.v = {speed + v * std::sin(k * x.x) * std::cos(k * x.y), speed - v * std::cos(k * x.x) * std::sin(k * x.y), 0};
        f.curl.z = seed * 2 * k * v * std::sin(k * x.x) * std::sin(k * x.y);
        return f;
      },
      3);
  m.run(200 * par.cfl * m.width() / (std::sqrt(par.gamma) + 1.02 * speed));
  double excess = 0, spin = 0;
  m.each_cell([&](int i, int j, int n) {
    if (i < 1 || j < 1 || i > m.cells().x - 2 || j > m.cells().y - 2) return;
    const double curl =
        m.velocity(i + 1, j, n).y - m.velocity(i - 1, j, n).y - m.velocity(i, j + 1, n).x + m.velocity(i, j - 1, n).x;
    const double l = m.vector(m.fields().spin(), i, j, n).z;
    excess = std::max(excess, std::abs(l - m.width() / 24 * curl));
    spin = std::max(spin, std::abs(l));
  });
  std::printf("    excess / spin %.3f\n", excess / spin);
  return excess / spin;
}

/// Neither feedback nor exchange takes more than there is, also with a solver that damps shear at rest and in gas that
/// is fast. Where edges feel no spin they are monotonised, which clips the whirls' extrema, and spins follow slowly:
/// 0.15 and 0.31 of the spin are left, 0.67 and 0.75 where whirls cross a cell in half the time that sound takes. Too
/// large a share per step makes the excess as large as the spin, and it grows.
TEST(spin, feedback_and_exchange_do_not_overshoot) {
  for (const auto solver : {config::riemann_solver::hllc, config::riemann_solver::kt}) {
    for (const double speed : {0.0, 2.0}) {
      config::hydro par;
      par.riemann = solver;
      EXPECT_LT(excess_of_whirls(par, speed), 0.01);
      par.density_contrast = every_cell_is_rough;
      EXPECT_LT(excess_of_whirls(par, speed), speed > 0 ? 0.85 : 0.4);
    }
  }
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

/// Mean |error| of density and velocity after the vortex has moved by (2, 1), on cells².
double vortex_error(int cells, bool spin) {
  config::hydro par;
  par.gamma = 1.4;
  par.spin = spin;
  const std::array<edge, 3> edges{edge::periodic, edge::periodic, edge::periodic};
  small_mesh m(par, {cells / N, cells / N, 1}, {-5, -5, 0}, 10.0 / cells, edges), exact = m;
  m.fill(vortex, 3);
  m.run(2);
  const auto image = [](double x) { return x - 10 * std::round(x / 10); };  // in the periodic box
  exact.fill([&](vec3d x) { return vortex({image(x.x - 2), image(x.y - 1), 0}); }, 3);
  double sum = 0;
  for (int j = 0; j < m.cells().y; ++j)
    for (int i = 0; i < m.cells().x; ++i) {
      const vec3d dv = m.velocity(i, j, 0) - exact.velocity(i, j, 0);
      sum += std::abs(m.density(i, j, 0) - exact.density(i, j, 0)) + std::sqrt(dot(dv, dv));
    }
  return sum / (m.cells().x * m.cells().y);
}

/// Errors two thirds of those without feedback, at the same order but for a few hundredths (1.97 without, 1.94 with):
/// a short run has no other errors than those of fluxes taken at the centres of faces, and of the stencil of curl v.
TEST(spin, feedback_keeps_the_order) {
  const double coarse[2] = {vortex_error(32, false), vortex_error(32, true)};
  const double fine[2] = {vortex_error(64, false), vortex_error(64, true)};
  const double order[2] = {std::log2(coarse[0] / fine[0]), std::log2(coarse[1] / fine[1])};
  std::printf("    without %.3e, order %.2f; with %.3e, order %.2f\n", fine[0], order[0], fine[1], order[1]);
  RecordProperty("without", std::to_string(order[0]) + " " + std::to_string(fine[0]));
  RecordProperty("with", std::to_string(order[1]) + " " + std::to_string(fine[1]));
  EXPECT_GT(order[1], 1.93);
  EXPECT_GT(order[1], order[0] - 0.05);
  EXPECT_LT(fine[1], 0.72 * fine[0]);  // measured 0.704
}

/// A weak shear wave across the grid (phase x + y), carried through the period of the mesh: the mode in which
/// feedback and a spin that hardly damps would grow. Amplitude 1e-3; transverse velocity after one turn.
double shear_error(int cells, bool spin) {
  config::hydro par;
  par.spin = spin;
  const double a = 1e-3, k = 2 * std::acos(-1.0);
  const std::array<edge, 3> edges{edge::periodic, edge::periodic, edge::periodic};
  small_mesh m(par, {cells / N, cells / N, 1}, {0, 0, 0}, 1.0 / cells, edges);
  m.fill(
      [&](vec3d x) {
        const double phase = k * (x.x + x.y);
        flow f;
        f.v = {1 - a * std::sin(phase), a * std::sin(phase), 0};
        f.p = 0.6;
        f.curl = {0, 0, 2 * a * k * std::cos(phase)};
        return f;
      },
      3);
  const small_mesh start = m;
  m.run(1);
  double sum = 0;
  for (int j = 0; j < m.cells().y; ++j)
    for (int i = 0; i < m.cells().x; ++i) sum += std::abs(m.velocity(i, j, 0).y - start.velocity(i, j, 0).y);
  return sum / (m.cells().x * m.cells().y);
}

/// Linear spin makes the whole of third order (measured 3.3); without feedback a linear wave has more. 2.8e-7 was
/// measured at 32 cells, where limiting at the crests alone would leave 7e-6, and growth of short waves more.
TEST(spin, feedback_is_stable_and_of_second_order_in_a_shear_wave) {
  const double coarse = shear_error(16, true), fine = shear_error(32, true);
  EXPECT_GT(std::log2(coarse / fine), 2.5);
  EXPECT_LT(fine, 4e-7);
}

/// A vortex in still air, whose angular momentum does not leave: x × s + l stays to rounding with spin, and
/// x × s alone changes without.
TEST(spin, angular_momentum_of_a_vortex) {
  for (const bool spin : {true, false}) {
    config::hydro par;
    par.gamma = 1.4;
    par.spin = spin;
    small_mesh m(par, {8, 8, 1}, {-16, -16, 0}, 0.5, {edge::zero_gradient, edge::zero_gradient, edge::periodic});
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
