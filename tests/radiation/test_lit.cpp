// Light that comes from outside: through an atmosphere, and into cold gas, against exact solutions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

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

enum class grid { uniform, refined };
const char* name_of(grid kind) { return kind == grid::uniform ? "uniform" : "refined"; }
mesh::tree row(grid kind, int cells, double h) {
  return kind == grid::uniform ? light_box::row(cells, h, false) : light_box::refined_row(cells, h, false);
}

/// Depths of an atmosphere from 0 to `top`, in units of coarse cells.
struct depths {
  double top;
  std::function<double(double)> down_to;  ///< the depth of all above a place

  double between(double lower, double upper) const { return down_to(lower) - down_to(upper); }
  /// At the centre of a cell.
  double at(double x, double width) const {
    return down_to(x + 0.5 * width) + 0.5 * between(x - 0.5 * width, x + 0.5 * width);
  }
};

enum class below { flux, energy };  ///< what is given there
struct shining {
  double flux, light, gas;  ///< errors: of what leaves, and the largest of the temperatures of light and gas
};

/// An atmosphere through which a flux of 1 goes, after 40 times 200 h/c, in steps with c dt = 200 of the finest h; its
/// gas has a hundredth of the light's heat, and is so heavy that light does not move it.
shining shine_through(const depths& of, int substeps, below given, grid kind = grid::uniform) {
  const int steps = kind == grid::uniform ? 40 : 80;
  const double opacity = 1e-18, dt = 8000.0 / steps, thickest = of.between(0, 1);
  const double heat = 0.01 * std::pow(energy_over_flux(of.at(0.5, 1)), 0.75) / thickest;
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = substeps;
  by.cfl = 0.4;
  by.opacities.constant = {opacity, opacity};
  by.heat_capacity = heat * opacity;
  by.energy_floor = 1e-30;
  const int n = static_cast<int>(of.top);
  light_box box(row(kind, n, 1), ends_in_x(), by);
  const auto width = [&](double x) { return box.tree().cell_width(box.tree().leaf_at({x, 0.1, 0.1})); };
  const auto thickness = [&](double x) { return of.between(x - 0.5 * width(x), x + 0.5 * width(x)) / width(x); };
  box.fill(
      [&](vec3d x) {
        const double e = energy_over_flux(of.at(x.x, width(x.x))), k = thickness(x.x);
        return lit_gas{.density = k / opacity, .heat = heat * k * std::pow(e, 0.25), .energy = e, .flux = {1, 0, 0}};
      },
      dt);
  box.shine_in([&](int, int face, double* light) {
    if (face != 0) return;
    beyond_lower_x([&](const std::array<int, 3>& beyond, int before) {
      double e = light[before], x = -0.5;
      for (const int cell : beyond) {
        e = given == below::flux ? e + 3 * thickest : energy_over_flux(of.at(0.5, 1) - (x - 0.5) * thickest);
        x -= 1;  // the gas beyond is that of the first cell
        light[cell] = e;
        light[mesh::ghosted_cells + cell] = light[mesh::ghosted_cells + before];
      }
    });
  });
  for (int step = 0; step < steps; ++step) box.advance(dt);
  double out = 0, area = 0;
  shining r{};
  for (int leaf = 0; leaf < box.tree().leaves(); ++leaf) {
    out += box.solver().outflow(leaf, 1)[0];
    if (box.tree().corner(leaf).x == 0) area += std::pow(mesh::N * box.tree().cell_width(leaf), 2);
  }
  r.flux = out / (dt * area) - 1;
  box.each_cell([&](int leaf, int c, vec3d x) {
    const double exact = std::pow(energy_over_flux(of.at(x.x, width(x.x))), 0.25);
    r.light = std::max(r.light, std::abs(std::pow(box.energy(leaf, c), 0.25) / exact - 1));
    r.gas = std::max(r.gas, std::abs(box.heat(leaf, c) / (heat * thickness(x.x)) / exact - 1));
  });
  return r;
}

/// A photosphere with 3 cells a scale height, of depth 300.
depths exponential() {
  const double top = 48, scale = 3, depth = 300;
  return {top, [=](double x) { return depth * (std::exp(-(x - 1) / scale) - std::exp(-(top - 1) / scale)); }};
}
/// Depths of cells of `thick` up to a place, and of 1e-9 beyond.
depths jump(double thick, double place) {
  const double top = 32;
  return {top, [=](double x) { return thick * std::max(place - x, 0.0) + 1e-9 * (top - std::max(place, x)); }};
}

TEST(lit, a_photosphere_shines_with_the_flux_from_below) {
  // The model: 3.4e-3, 1.1e-3, 2e-4, the last steps of its slowest relaxation; temperatures within 3e-3.
  const struct {
    grid kind;
    int substeps;
    double error;
  } cases[] = {{grid::uniform, 8, 4e-3},
               {grid::uniform, 16, 1.4e-3},
               {grid::uniform, 32, 3e-4},
               {grid::refined, 8, 2.4e-3},
               {grid::refined, 16, 1.4e-3}};
  for (const auto& c : cases) {
    const shining is = shine_through(exponential(), c.substeps, below::flux, c.kind);
    std::printf("photosphere, %s, %d substeps: flux %.1e, temperature of light %.1e, of gas %.1e\n", name_of(c.kind),
                c.substeps, is.flux, is.light, is.gas);
    EXPECT_LT(std::abs(is.flux), c.error);
    EXPECT_LT(is.light, 3e-3);
    EXPECT_LT(is.gas, 3e-3);
  }
}

// Of the flux that the opaque side has, none is lost where the opacity falls by many orders from one cell to the next:
// within a level, and from finer cells to coarse ones. From coarse cells to finer ones, ghosts have the slope of the
// light below the surface, which shines as if it lay deeper by a fifth of a cell, and by a quarter too much until the
// last cell has come to rest, as that of depth 1e3 has.
TEST(lit, an_opaque_wall_shines_into_vacuum) {
  const double thick[] = {1e3, 1e6};
  const struct {
    grid kind;
    double place, error[2];
  } walls[] = {
      {grid::uniform, 16, {4e-4, 5e-6}}, {grid::refined, 24, {4e-4, 5e-6}}, {grid::refined, 8, {3.5e-2, 0.28}}};
  for (int k = 0; k < 2; ++k)
    for (const auto& w : walls) {
      const shining is = shine_through(jump(thick[k], w.place), 16, below::energy, w.kind);
      std::printf("jump of opacity by %g, %s, at %g of 32: flux %.1e\n", thick[k] * 1e9, name_of(w.kind), w.place,
                  is.flux);
      EXPECT_LT(std::abs(is.flux), w.error[k]);
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
TEST(lit, a_source_of_light_heats_cold_gas) {
  const struct {
    double x, light, gas;
  } table[] = {{0.01, 2.23575, 2.11186},    {0.1, 2.21944, 2.09585},     {0.17783, 2.18344, 2.06052},
               {0.31623, 2.06448, 1.94365}, {0.45, 1.86072, 1.74291},    {0.5, 1.73178, 1.61536},
               {0.56234, 1.57496, 1.46027}, {0.75, 1.27398, 1.16591},    {1.0, 0.98782, 0.88992},
               {1.33352, 0.70822, 0.62521}, {1.77828, 0.45016, 0.38688}, {3.16228, 0.09673, 0.07642},
               {5.62341, 0.00375, 0.00253}};
  const int n = 160, steps = 600;
  const double h = 1.0 / 16, dt = 10.0 / steps;
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
  light_box box(row(grid::uniform, n, h), ends, by);
  box.fill([](vec3d) { return lit_gas{.density = 1e20, .heat = 1e-10, .energy = 1e-10}; }, dt);
  for (int step = 0; step < steps; ++step) {
    box.shine([](vec3d x) { return x.x < 0.5 ? 1.0 : 0.0; }, step == 0 ? 0.5 * dt : dt);
    box.advance(dt);
  }
  std::vector<double> light(n), gas(n);
  box.each_cell([&](int leaf, int c, vec3d x) {
    const auto at = static_cast<std::size_t>(x.x / h);
    light[at] = box.energy(leaf, c);
    gas[at] = box.heat(leaf, c);
  });
  const auto temperature = [&](const std::vector<double>& of, double x) {
    const double place = std::max(x / h - 0.5, 0.0), share = place - std::floor(place);
    const auto at = static_cast<std::size_t>(place);
    return std::pow((1 - share) * of[at] + share * of[at + 1], 0.25);
  };
  double of_light = 0, of_gas = 0, all_light = 0, all_gas = 0;
  for (const auto& row : table) {
    of_light += std::abs(temperature(light, row.x) - std::pow(row.light, 0.25));
    of_gas += std::abs(temperature(gas, row.x) - std::pow(row.gas, 0.25));
    all_light += std::pow(row.light, 0.25);
    all_gas += std::pow(row.gas, 0.25);
  }
  std::printf("source of Su & Olson, time 10: L1 of T_rad %.4f, of T %.4f\n", of_light / all_light, of_gas / all_gas);
  EXPECT_LT(of_light / all_light, 0.03);
  EXPECT_LT(of_gas / all_gas, 0.03);
}

}  // namespace
