// Light that comes from outside: through an atmosphere, and into cold gas, against exact solutions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "light_box.hpp"
#include "radiation/closure.hpp"

namespace {

using namespace rednova;
using core::vec3d;
using mesh::ghosted;
using test::light_box;
using test::lit_gas;

constexpr double root3 = 1.73205080756887729353;
constexpr double pi = 3.14159265358979323846;

/// c E/F of M1's plane atmosphere at a depth: 1/f with chi(f)/f = tau + sqrt(3)/2, f = 2 sqrt(3)/5 at most.
double energy_over_flux(double tau) {
  double low = 1e-12, high = 2 * root3 / 5;
  for (int n = 0; n < 60; ++n) {
    const double f = 0.5 * (low + high);
    (radiation::eddington_factor(f) / f > tau + root3 / 2 ? low : high) = f;
  }
  return 1 / low;
}

/// Calls body(ghosted cells beyond a lower face in x, from the nearest on, and the cell before it), row by row.
template <class Body>
void beyond_lower_x(const Body& body) {
  for (int k = 0; k < mesh::N; ++k)
    for (int j = 0; j < mesh::N; ++j)
      body(std::array<int, 3>{ghosted(-1, j, k), ghosted(-2, j, k), ghosted(-3, j, k)}, ghosted(0, j, k));
}

std::array<config::boundary, 6> ends_in_x() {
  std::array<config::boundary, 6> ends{};
  ends.fill(config::boundary::periodic);
  ends[0] = config::boundary::zero_gradient;
  ends[1] = config::boundary::outflow;
  return ends;
}

/// The flux at the top of an atmosphere of scale height 3 cells and depth 300, into which the flux 1 comes from below,
/// after 40 steps with c dt = 200 h; its gas has a hundredth of the light's heat.
double flux_of_atmosphere(int substeps) {
  const int n = 48;
  const double scale = 3, depth = 300, opacity = 1e-12, dt = 200;
  const auto thickness = [&](double x) { return depth / scale * std::exp(-(x - 1) / scale); };
  const auto tau = [&](double x) {
    double above = 0.5 * thickness(x);
    for (double y = x + 1; y < n; y += 1) above += thickness(y);
    return above;
  };
  const double first = energy_over_flux(tau(0.5)), heat = 0.01 * std::pow(first, 0.75) / thickness(0.5);
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = substeps;
  by.cfl = 0.4;
  by.opacities.constant = {opacity, opacity};
  by.heat_capacity = heat * opacity;
  by.energy_floor = 1e-30;
  light_box box(light_box::row(n, 1, false), ends_in_x(), by);
  box.fill(
      [&](vec3d x) {
        const double e = energy_over_flux(tau(x.x)), k = thickness(x.x);
        return lit_gas{.density = k / opacity, .heat = heat * k * std::pow(e, 0.25), .energy = e, .flux = {1, 0, 0}};
      },
      dt);
  box.shine_in([&](int, int face, double* light) {
    if (face != 0) return;
    beyond_lower_x([&](const std::array<int, 3>& beyond, int before) {
      double e = light[before];
      for (const int cell : beyond) {
        e += 3 * thickness(0.5);  // the gas beyond is that of the first cell
        light[cell] = e;
        light[mesh::ghosted_cells + cell] = light[mesh::ghosted_cells + before];
      }
    });
  });
  for (int step = 0; step < 40; ++step) box.advance(dt);
  double out = 0;
  for (int leaf = 0; leaf < box.tree().leaves(); ++leaf) out += box.solver().outflow(leaf, 1)[0];
  return out / (dt * 64);
}

TEST(lit, a_photosphere_shines_with_the_flux_from_below) {
  // The model: 3.4e-3, 1.1e-3, 2e-4, the last steps of its slowest relaxation.
  const struct {
    int substeps;
    double error;
  } cases[] = {{8, 1e-2}, {16, 5e-3}, {32, 3e-3}};
  for (const auto& c : cases) {
    const double flux = flux_of_atmosphere(c.substeps);
    std::printf("photosphere, %d substeps: flux %.1e\n", c.substeps, flux - 1);
    EXPECT_NEAR(flux, 1, c.error);
  }
}

struct su_olson {
  double light, gas;
};

/// Su & Olson (1996, JQSRT 56, 337), eqs. for u and v at x (in mean free paths times sqrt(3)) and tau.
su_olson exact(double x, double tau, double eps) {
  constexpr int n = 20000;
  const auto theta = [](double g) { return std::acos(std::sqrt(3 / (3 + 4 * g * g))); };
  double first = 0, second = 0, third = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double e = (i + 0.5) / n, ee = e * e;
    const double g1 = e * std::sqrt(eps + 1 / (1 - ee)), g2 = std::sqrt((1 - e) * (eps + 1 / e)),
                 g3 = std::sqrt((1 - ee) * (eps + 1 / ee));
    first += std::exp(-tau * ee) * std::sin(x * g1 + theta(g1)) / (e * std::sqrt(3 + 4 * g1 * g1));
    const double k =
        root3 / pi * std::exp(-tau - tau / (eps * e)) * std::sin(x * g2 + theta(g2)) / (e * std::sqrt(3 + 4 * g2 * g2));
    second += k / (1 + eps * e);
    third += std::exp(-tau * (1 - ee)) * std::sin(x * g3 + theta(g3)) / std::sqrt(4 - ee + 4 * eps * ee * (1 - ee));
    fourth += k;
  }
  const double a = 2 * root3 / pi, u = 1 - a * first / n - second / n;
  return {u, u - a * third / n + fourth / n};
}

TEST(lit, the_wave_of_su_and_olson_has_their_table) {
  const struct { double x, light, gas; } table[] = {{0, .73611, .72328}, {.5, .62523, .60749}, {2.5, .27705, .25413}};
  for (const auto& row : table) {
    EXPECT_NEAR(exact(row.x, 10, 1).light, row.light, 2e-5);
    EXPECT_NEAR(exact(row.x, 10, 1).gas, row.gas, 2e-5);
  }
}

TEST(lit, a_wave_of_su_and_olson_enters_cold_gas) {
  // Their solution is that of diffusion, which M1 is not at early times: the model is 11.5 % off at tau = 1, 2.4 %
  // at 10.
  const double eps = 0.1, h = 0.2 / root3;
  const int n = 104;
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = 8;
  by.cfl = 0.4;
  by.heat_power = 4;
  by.opacities.constant = {1e-20, 1e-20};
  by.heat_capacity = 1e-20 / eps;
  by.energy_floor = 1e-30;
  light_box box(light_box::row(n, h, false), ends_in_x(), by);
  box.shine_in([](int, int face, double* light) {
    if (face != 0) return;
    beyond_lower_x([&](const std::array<int, 3>& beyond, int before) {
      double* flux = light + mesh::ghosted_cells;
      for (const int cell : beyond) {
        light[cell] = 4 - 2 * flux[before];  // Marshak's: E + 2 F = 4 comes in
        flux[cell] = flux[before];
      }
    });
  });
  double time = 0;
  box.fill([&](vec3d) { return lit_gas{.density = 1e20, .heat = 1e-10 / eps, .energy = 1e-10}; }, 8 * 0.3 * h);
  const struct { double tau, l1; } times[] = {{1, 0.13}, {10, 0.03}};
  for (const auto& t : times) {
    const int steps = static_cast<int>(std::ceil((t.tau / eps - time) / (8 * 0.3 * h)));
    const double dt = (t.tau / eps - time) / steps;
    for (int step = 0; step < steps; ++step) box.advance(dt);
    time = t.tau / eps;
    double error = 0, sum = 0, light = 0, gas = 0;
    box.each_cell([&](int leaf, int c, vec3d x) {
      if (c >= mesh::N) return;
      const su_olson right = exact(x.x * root3, t.tau, eps);
      const double u = box.energy(leaf, c) / 4, v = box.heat(leaf, c) * eps / 4;
      error += std::abs(u - right.light);
      sum += right.light;
      light = std::max(light, std::abs(u - right.light));
      gas = std::max(gas, std::abs(v - right.gas));
    });
    std::printf("Su & Olson, tau %g: L1 %.3f, largest error of u %.4f, of v %.4f\n", t.tau, error / sum, light, gas);
    EXPECT_LT(error / sum, t.l1);
  }
}

}  // namespace
