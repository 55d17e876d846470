// Light that comes from outside into cold gas, against exact solutions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <vector>

#include "lit_row.hpp"

namespace {

using namespace rednova;
using core::vec3d;
using test::beyond_lower_x;
using test::ends_in_x;
using test::grid;
using test::light_box;
using test::lit_gas;
using test::name_of;
using test::row;

constexpr double root3 = 1.73205080756887729353;
constexpr double pi = 3.14159265358979323846;

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

struct wave_errors {
  double light, gas;   ///< largest of u and v
  double l1;           ///< of u, over its integral
  double temperature;  ///< the same of u^(1/4), where x < 10
};

/// Marshak's wave into cold gas, at times tau, against diffusion; eps: the energy of light over that of gas of the same
/// temperature.
std::vector<wave_errors> marshak_wave(double eps, const std::vector<double>& times, grid kind) {
  const int cells = kind == grid::uniform ? 104 : 56;
  const double finest = 0.2 / root3, h = kind == grid::uniform ? finest : 2 * finest, longest = 8 * 0.3 * finest;
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = 8;
  by.cfl = 0.4;
  by.heat_power = 4;
  by.opacities.constant = {1e-20, 1e-20};
  by.heat_capacity = 1e-20 / eps;
  by.energy_floor = 1e-30;
  light_box box(row(kind, cells, h), ends_in_x(), by);
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
  box.fill([&](vec3d) { return lit_gas{.density = 1e20, .heat = 1e-10 / eps, .energy = 1e-10}; }, longest);
  std::vector<wave_errors> all;
  for (const double tau : times) {
    const int steps = static_cast<int>(std::ceil((tau / eps - time) / longest));
    const double dt = (tau / eps - time) / steps;
    for (int step = 0; step < steps; ++step) box.advance(dt);
    time = tau / eps;
    wave_errors r{};
    double sum = 0, hot = 0;
    box.each_cell([&](int leaf, int c, vec3d x) {
      const vec3d corner = box.tree().corner(leaf), lower = box.tree().box().lower;
      if (c >= mesh::N || corner.y != lower.y || corner.z != lower.z) return;
      const double width = box.tree().cell_width(leaf);
      const su_olson right = exact(x.x * root3, tau, eps);
      const double u = box.energy(leaf, c) / 4, v = box.heat(leaf, c) * eps / 4;
      r.l1 += width * std::abs(u - right.light);
      sum += width * right.light;
      r.light = std::max(r.light, std::abs(u - right.light));
      r.gas = std::max(r.gas, std::abs(v - right.gas));
      if (x.x * root3 > 10) return;
      const double is = std::pow(std::max(right.light, 0.0), 0.25);
      r.temperature += width * std::abs(std::pow(u, 0.25) - is);
      hot += width * is;
    });
    r.l1 /= sum;
    r.temperature /= hot;
    std::printf("Su & Olson, eps %g, %s, tau %g: L1 %.3f, largest error of u %.4f, of v %.4f; L1 of T_rad %.4f\n", eps,
                name_of(kind), tau, r.l1, r.light, r.gas, r.temperature);
    all.push_back(r);
  }
  return all;
}

TEST(lit, a_wave_of_su_and_olson_enters_cold_gas) {
  // Their solution is that of diffusion, which M1 is not at early times: the model is 11.5 % off at tau = 1, 2.4 %
  // at 10.
  for (const grid kind : {grid::uniform, grid::refined}) {
    const std::vector<wave_errors> wave = marshak_wave(0.1, {1, 10}, kind);
    EXPECT_LT(wave[0].l1, 0.12);
    EXPECT_LT(wave[1].l1, 0.026);
  }
}

// Quokka's bound is 0.02.
TEST(lit, a_wave_enters_gas_of_the_heat_capacity_of_light) {
  for (const grid kind : {grid::uniform, grid::refined}) EXPECT_LT(marshak_wave(1, {10}, kind)[0].temperature, 0.013);
}

// Su & Olson (1997, Ann. Nucl. Energy 24, 1035): light of a source of power 1 in |x| < 1/2 in cold gas with eps = 1, at
// the time 10: transport, by their table. M1 has no chi below 1/3, which light beside the source has.
struct source_errors {
  double light, gas;  ///< L1 of temperatures
};
source_errors shine_of_a_source(grid kind) {
  const struct {
    double x, light, gas;
  } table[] = {{0.01, 2.23575, 2.11186},    {0.1, 2.21944, 2.09585},     {0.17783, 2.18344, 2.06052},
               {0.31623, 2.06448, 1.94365}, {0.45, 1.86072, 1.74291},    {0.5, 1.73178, 1.61536},
               {0.56234, 1.57496, 1.46027}, {0.75, 1.27398, 1.16591},    {1.0, 0.98782, 0.88992},
               {1.33352, 0.70822, 0.62521}, {1.77828, 0.45016, 0.38688}, {3.16228, 0.09673, 0.07642},
               {5.62341, 0.00375, 0.00253}};
  const int n = kind == grid::uniform ? 160 : 80, steps = 600;
  const double h = 10.0 / n, dt = 10.0 / steps;
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = 1;
  by.cfl = 0.3;
  by.heat_power = 4;
  by.opacities.constant = {1e-20, 1e-20};
  by.heat_capacity = 1e-20;
  by.energy_floor = 1e-30;
  std::array<config::boundary, 6> ends = ends_in_x();
  ends[0] = config::boundary::reflecting;
  light_box box(row(kind, n, h), ends, by);
  box.fill([](vec3d) { return lit_gas{.density = 1e20, .heat = 1e-10, .energy = 1e-10}; }, dt);
  for (int step = 0; step < steps; ++step) {
    box.shine([](vec3d x) { return x.x < 0.5 ? 1.0 : 0.0; }, step == 0 ? 0.5 * dt : dt);
    box.advance(dt);
  }
  struct both {
    double light, gas;
  };
  std::map<double, both> along;  // by place
  box.each_cell([&](int leaf, int c, vec3d x) {
    const double width = box.tree().cell_width(leaf);
    if (x.y < width && x.z < width) along[x.x] = {box.energy(leaf, c), box.heat(leaf, c)};
  });
  const auto temperature = [&](double both::*of, double x) {
    const auto after = along.upper_bound(x);
    if (after == along.begin()) return std::pow(after->second.*of, 0.25);
    const auto before = std::prev(after);
    const double share = (x - before->first) / (after->first - before->first);
    return std::pow((1 - share) * (before->second.*of) + share * (after->second.*of), 0.25);
  };
  double of_light = 0, of_gas = 0, all_light = 0, all_gas = 0;
  for (const auto& row : table) {
    of_light += std::abs(temperature(&both::light, row.x) - std::pow(row.light, 0.25));
    of_gas += std::abs(temperature(&both::gas, row.x) - std::pow(row.gas, 0.25));
    all_light += std::pow(row.light, 0.25);
    all_gas += std::pow(row.gas, 0.25);
  }
  const source_errors r{of_light / all_light, of_gas / all_gas};
  std::printf("source of Su & Olson, %s, time 10: L1 of T_rad %.4f, of T %.4f\n", name_of(kind), r.light, r.gas);
  return r;
}

TEST(lit, a_source_of_light_heats_cold_gas) {
  for (const grid kind : {grid::uniform, grid::refined}) {
    const source_errors is = shine_of_a_source(kind);
    EXPECT_LT(is.light, 0.03);
    EXPECT_LT(is.gas, 0.03);
  }
}

struct shadow {
  double within, beam, least;  ///< largest E in the shadow, E of the beam beside it, least E ever
};

/// Light of E = F = 1 comes from lower x upon a disc of radius 6 of cold, heavy gas, and leaves on the other three
/// sides, until it has gone round. Refined: the disc, with what is around it. depth: of a cell of width 1.
shadow of_a_disc(double depth, grid kind) {
  const double thin = 1e-6, opacity = 1e-20, dt = kind == grid::uniform ? 30 : 15;
  const int substeps = 10, steps = kind == grid::uniform ? 30 : 60;
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = substeps;
  by.cfl = 0.4;
  by.opacities.constant = {opacity, opacity};
  by.energy_floor = 1e-30;
  by.heat_capacity = 1e9 * opacity;
  const mesh::domain box{.lower = {0, 0, 0},
                         .base_width = mesh::N,
                         .base = {48 / mesh::N, 32 / mesh::N, 1},
                         .periodic = {false, false, true}};
  std::array<config::boundary, 6> ends{};
  ends.fill(config::boundary::outflow);
  ends[0] = config::boundary::zero_gradient;
  ends[4] = ends[5] = config::boundary::periodic;
  mesh::tree tree = mesh::tree::uniform(box, 0);
  if (kind == grid::refined) {
    std::vector<int> flags;
    for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
      const vec3d middle = tree.centre(leaf, mesh::N / 2, mesh::N / 2, 0);
      flags.push_back(std::abs(middle.x - 16) < mesh::N && std::abs(middle.y - 16) < mesh::N ? 1 : 0);
    }
    tree = mesh::tree(box, tree.adapted(flags));
  }
  light_box of(std::move(tree), ends, by);
  of.fill(
      [&](vec3d x) {
        const double k = std::pow(x.x - 16, 2) + std::pow(x.y - 16, 2) < 36 ? depth : thin;
        return lit_gas{.density = k / opacity, .heat = 1e6 * k, .energy = 1e-10};
      },
      dt);
  of.shine_in([&](int, int face, double* light) {
    if (face != 0) return;
    beyond_lower_x([&](const std::array<int, 3>& beyond, int) {
      for (const int cell : beyond) {
        light[cell] = 1;
        for (int d = 0; d < 3; ++d) light[(1 + d) * mesh::ghosted_cells + cell] = d == 0 ? 1 - 1e-6 : 0;
      }
    });
  });
  shadow r{0, 0, 1};
  for (int step = 0; step < steps; ++step) {
    of.advance(dt);
    of.each_cell([&](int leaf, int c, vec3d) { r.least = std::min(r.least, of.energy(leaf, c)); });
  }
  of.each_cell([&](int leaf, int c, vec3d x) {
    const double e = of.energy(leaf, c);
    if (x.x > 32 && x.x < 42 && std::abs(x.y - 16) < 2) r.within = std::max(r.within, e);
    if (x.x > 37 && x.x < 38 && x.y > 3 && x.y < 4) r.beam = e;
  });
  std::printf("shadow of a disc, %s, depth of a cell %g: E %.2e, in the beam %.3f, least %.0e\n", name_of(kind), depth,
              r.within, r.beam, r.least);
  return r;
}

// Behind a disc of depth 6 along its middle some light has gone through, e⁻⁶; some 1e-3 comes from the beam beside it,
// as M1 has no angles. From a thick one the beam is reflected rather than absorbed, of cells of depth 50 so much that
// it collides with itself and gets round the disc: a limit of the scheme, with the model's very figures.
TEST(lit, a_disc_casts_a_shadow) {
  for (const grid kind : {grid::uniform, grid::refined}) {
    for (const double depth : {0.5, 2.0}) {
      const shadow is = of_a_disc(depth, kind);
      // With finer cells more comes from beside: the model has 2.2e-2, too, where all cells are so fine.
      const double through = kind == grid::refined && depth == 0.5 ? 0.015 : 1.5e-3;
      EXPECT_NEAR(is.within, std::exp(-12 * depth), through);
      EXPECT_GT(is.least, 0);
    }
    const shadow thick = of_a_disc(50, kind);
    EXPECT_LT(thick.within, 0.14);
    EXPECT_GT(thick.beam, 0.36);
    EXPECT_GT(thick.least, 0);
  }
}

}  // namespace
