// A shock tube in a row of blocks, along each axis, against the exact solution of the Riemann problem.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "small_mesh.hpp"

namespace {

using namespace rednova;
using core::vec3d;
using test::edge;
using test::flow;
using test::small_mesh;

struct wave_state {
  double rho, v, p;
};

/// Sod's problem (1978), gamma = 1.4: rarefaction left, contact, shock right (Toro 2009, sec. 4.2-4.5).
class sod_solution {
 public:
  sod_solution() {
    // f(p) = 0 by bisection: f grows with p.
    double low = right_.p, high = left_.p;
    for (int n = 0; n < 200; ++n) {
      const double middle = (low + high) / 2;
      (velocity_left(middle) > velocity_right(middle) ? low : high) = middle;
    }
    p_ = low;
    v_ = velocity_left(p_);
  }
  wave_state at(double speed) const {
    const double cl = std::sqrt(g_ * left_.p / left_.rho), cr = std::sqrt(g_ * right_.p / right_.rho);
    const double rho_fan = left_.rho * std::pow(p_ / left_.p, 1 / g_);
    const double shock = cr * std::sqrt((g_ + 1) / (2 * g_) * p_ / right_.p + (g_ - 1) / (2 * g_));
    const double ratio = (g_ - 1) / (g_ + 1);
    const double rho_shock = right_.rho * (p_ / right_.p + ratio) / (ratio * p_ / right_.p + 1);
    if (speed < -cl) return left_;
    if (speed < v_ - std::sqrt(g_ * p_ / rho_fan)) {
      const double c = 2 / (g_ + 1) * (cl - (g_ - 1) / 2 * speed);
      const double rho = left_.rho * std::pow(c / cl, 2 / (g_ - 1));
      return {rho, 2 / (g_ + 1) * (cl + speed), left_.p * std::pow(rho / left_.rho, g_)};
    }
    if (speed < v_) return {rho_fan, v_, p_};
    if (speed < shock) return {rho_shock, v_, p_};
    return right_;
  }

 private:
  double velocity_left(double p) const {
    return 2 * std::sqrt(g_ * left_.p / left_.rho) / (g_ - 1) * (1 - std::pow(p / left_.p, (g_ - 1) / (2 * g_)));
  }
  double velocity_right(double p) const {
    return (p - right_.p) * std::sqrt(2 / (right_.rho * ((g_ + 1) * p + (g_ - 1) * right_.p)));
  }
  double g_ = 1.4, p_ = 0, v_ = 0;
  wave_state left_{1, 0, 1}, right_{0.125, 0, 0.1};
};

/// Mean |rho - exact| at t = 0.2 on a tube of unit length along d.
double error(const config::hydro& par, int blocks, int d) {
  const double h = 1.0 / (blocks * mesh::N);
  core::vec3i n{1, 1, 1};
  n[d] = blocks;
  std::array<edge, 3> edges{edge::periodic, edge::periodic, edge::periodic};
  edges[static_cast<std::size_t>(d)] = edge::zero_gradient;
  vec3d lower;
  lower[d] = -0.5;
  small_mesh m(par, n, lower, h, edges);
  m.fill([d](vec3d x) {
    flow f;
    f.rho = x[d] < 0 ? 1 : 0.125;
    f.p = x[d] < 0 ? 1 : 0.1;
    return f;
  });
  m.run(0.2);
  const sod_solution exact;
  double sum = 0;
  for (int i = 0; i < blocks * mesh::N; ++i) {
    core::vec3i c{3, 3, 3};
    c[d] = i;
    constexpr int points = 20;
    double mean = 0;
    for (int s = 0; s < points; ++s) mean += exact.at((-0.5 + (i + (s + 0.5) / points) * h) / 0.2).rho / points;
    sum += std::abs(m.density(c.x, c.y, c.z) - mean) * h;
  }
  return sum;
}

config::hydro tube(config::reconstruction r, config::riemann_solver s) {
  config::hydro par;
  par.gamma = 1.4;
  par.reconstruct = r;
  par.riemann = s;
  return par;
}

/// With jumps the error falls like h at best, beside the contact more slowly. Measured 4.27e-3, 2.30e-3: order 0.89.
TEST(sod, converges_to_the_exact_solution) {
  const auto par = tube(config::reconstruction::ppm, config::riemann_solver::hllc);
  const double coarse = error(par, 8, 0), fine = error(par, 16, 0);
  std::printf("    L1 error %.3e, %.3e: order %.2f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_LT(fine, 2.5e-3);
  EXPECT_GT(std::log2(coarse / fine), 0.85);
}

TEST(sod, axes_agree) {
  const auto par = tube(config::reconstruction::ppm, config::riemann_solver::hllc);
  const double x = error(par, 8, 0), y = error(par, 8, 1), z = error(par, 8, 2);
  std::printf("    %.3e, the others off by %.1e and %.1e\n", x, y - x, z - x);
  // Measured equal to the bit; a compiler may order the sums otherwise.
  EXPECT_NEAR(y, x, 1e-14);
  EXPECT_NEAR(z, x, 1e-14);
}

/// Each scheme is as good as its rank says. Measured 4.3e-3 (ppm), 6.3e-3 (plm), 2.6e-2 (constant), 5.8e-3 (ppm with
/// kt), 3.1e-3 (steepened).
TEST(sod, schemes_rank) {
  using config::reconstruction;
  using config::riemann_solver;
  const double ppm = error(tube(reconstruction::ppm, riemann_solver::hllc), 8, 0);
  const double plm = error(tube(reconstruction::plm, riemann_solver::hllc), 8, 0);
  const double constant = error(tube(reconstruction::constant, riemann_solver::hllc), 8, 0);
  const double central = error(tube(reconstruction::ppm, riemann_solver::kt), 8, 0);
  auto steep = tube(reconstruction::ppm, riemann_solver::hllc);
  steep.contact_steepening = true;
  const double steepened = error(steep, 8, 0);
  std::printf("    ppm %.3e, plm %.3e, constant %.3e, ppm with kt %.3e, steepened %.3e\n", ppm, plm, constant, central,
              steepened);
  EXPECT_LT(ppm, 0.8 * plm);
  EXPECT_LT(plm, 0.3 * constant);
  EXPECT_LT(central, 0.3 * constant);
  EXPECT_LT(steepened, 0.8 * ppm);
}

}  // namespace
