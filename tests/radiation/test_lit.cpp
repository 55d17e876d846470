// Light that comes from outside into cold gas, against exact solutions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "lit_row.hpp"
#include "radiation/opacity_table.hpp"

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
  const int n = 160, steps = kind == grid::uniform ? 600 : 1200;
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
      EXPECT_NEAR(is.within, std::exp(-12 * depth), 1.5e-3);
      EXPECT_GT(is.least, 0);
    }
    const shadow thick = of_a_disc(50, kind);
    EXPECT_LT(thick.within, 0.14);
    EXPECT_GT(thick.beam, 0.36);
    EXPECT_GT(thick.least, 0);
  }
}

/// Light diffuses from T = 1 at x = 0 into gas of T = cold, with rho kappa = k/T³ and a heat C T by volume: T is a
/// function of y = x/√t alone. With u = C T + T⁴ and J = -4 T⁶/(3 k) dT/dy it is dJ/dT = y/2 du/dT, from both of which
/// y and J follow by T.
class wave_of_heat {
 public:
  wave_of_heat(double k, double capacity, double cold) : k_(k), capacity_(capacity), cold_(cold) {
    double low = 0, high = 100;
    for (int n = 0; n < 60; ++n) {
      const double ahead = 0.5 * (low + high);
      march(ahead);
      (place_.back() < 0 ? low : high) = ahead;
    }
  }
  double temperature(double place) const {
    if (place >= place_.front()) return cold_;
    std::size_t n = 1;
    while (n + 1 < place_.size() && place_[n] > place) ++n;
    const double share = (place - place_[n - 1]) / (place_[n] - place_[n - 1]);
    return temperature_[n - 1] + share * (temperature_[n] - temperature_[n - 1]);
  }
  /// Where T is halfway between both.
  double front() const {
    std::size_t n = 0;
    while (temperature_[n] < 0.5 * (1 + cold_)) ++n;
    return place_[n];
  }

 private:
  using both = std::array<double, 2>;  // y, J

  /// By Runge and Kutta's steps of the logarithm of T - cold, from far ahead, where J = y/2 (u - u(cold)), until x = 0.
  void march(double ahead) {
    constexpr int steps = 2000;
    const double first = 1e-9, step = std::log((1 - cold_) / first) / steps;
    const auto slopes = [&](double s, const both& at) {
      const double above = first * std::exp(s), t = cold_ + above;
      return both{-4 * std::pow(t, 6) / (3 * k_ * at[1]) * above, 0.5 * at[0] * (capacity_ + 4 * t * t * t) * above};
    };
    const auto moved = [](const both& from, const both& by, double h) {
      return both{from[0] + h * by[0], from[1] + h * by[1]};
    };
    both at{ahead, 0.5 * ahead * (capacity_ + 4 * cold_ * cold_ * cold_) * first};
    place_ = {ahead};
    temperature_ = {cold_ + first};
    for (int n = 0; n < steps && place_.back() >= 0; ++n) {
      const double s = n * step;
      const both k1 = slopes(s, at), k2 = slopes(s + 0.5 * step, moved(at, k1, 0.5 * step)),
                 k3 = slopes(s + 0.5 * step, moved(at, k2, 0.5 * step)), k4 = slopes(s + step, moved(at, k3, step));
      for (std::size_t i = 0; i < 2; ++i) at[i] += step / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
      place_.push_back(at[0]);
      temperature_.push_back(cold_ + first * std::exp(s + step));
    }
  }

  double k_, capacity_, cold_;
  std::vector<double> place_, temperature_;
};

struct wave_front {
  double late, l1;  ///< place of the front, relative; mean error of T over what T has risen by
};

/// A wave of heat in a row of 32 cells, four of which it has crossed, and 0.7 of which it crosses, by a table of
/// opacities. The gas beyond the end is that of the first cell, which must be hot for light to come in.
wave_front enter_cold_gas(double cold, grid kind) {
  const int cells = 32, substeps = 8;
  const double k = 3, capacity = 1, rho = 1e12;
  const wave_of_heat exact(k, capacity, cold);
  const std::string path = testing::TempDir() + "opacity_of_a_wave";
  const double at_one = std::log10(k);  // log kappa is linear in log T, whatever R
  std::ofstream(path) << "X = 0.7 Z = 0.02\nlogT -20 40\n-2 " << at_one + 6 << ' ' << at_one + 6 << "\n1 " << at_one - 3
                      << ' ' << at_one - 3 << '\n';
  const radiation::opacity_tables table({path}, 0.02);
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = substeps;
  by.cfl = 0.4;
  by.opacities.by = radiation::opacity::law::table;
  by.opacities.density_unit = 1 / rho;
  by.rosseland = radiation::opacity_view(table.numbers().data());
  by.heat_capacity = capacity / rho;
  by.energy_floor = 1e-30;
  const double finest = kind == grid::uniform ? 1 : 0.5, depth = k * finest;
  const double start = std::pow(4 / exact.front(), 2), end = std::pow(0.7 * cells / exact.front(), 2);
  const double longest =
      substeps * by.cfl * finest * (1 + depth * depth) / (1 + depth);  // light has its speed in hot gas
  const int steps = static_cast<int>(std::ceil((end - start) / longest));
  const double from = 0.5;  // x = 0 is the middle of the cell beyond
  light_box box(row(kind, cells, 1), ends_in_x(), by);
  box.shine_in([](int, int face, double* light) {
    if (face != 0) return;
    beyond_lower_x([&](const std::array<int, 3>& beyond, int before) {
      for (const int cell : beyond) {
        light[cell] = 1;
        light[mesh::ghosted_cells + cell] = light[mesh::ghosted_cells + before];
      }
    });
  });
  const auto temperature = [&](double x, double time) { return exact.temperature((x + from) / std::sqrt(time)); };
  box.fill(
      [&](vec3d x) {
        const double t = temperature(x.x, start);
        return lit_gas{.density = rho, .heat = capacity * t, .energy = std::pow(t, 4)};
      },
      (end - start) / steps);
  for (int step = 0; step < steps; ++step) box.advance((end - start) / steps);
  const double half = 0.5 * (1 + cold);
  double error = 0, rise = 0, place = 0, before = 1;
  box.each_cell([&](int leaf, int c, vec3d x) {
    const double h = box.tree().cell_width(leaf);
    if (x.y > h || x.z > h) return;
    const double t = box.heat(leaf, c) / capacity, is = temperature(x.x, end);
    error += h * std::abs(t - is);
    rise += h * (is - cold);
    if (t < half && before >= half) place = x.x + from - (half - t) / (before - t);
    before = t;
  });
  const wave_front r{place / (exact.front() * std::sqrt(end)) - 1, error / rise};
  std::printf("wave of heat, %s, opacity of the cold gas %.0f times higher: front %.3f, L1 of T %.3f\n", name_of(kind),
              std::pow(cold, -3), r.late, r.l1);
  return r;
}

// Of a face both cells' opacities are taken at one temperature: with each cell's own, the front into gas 1000 times as
// opaque was late by 0.43. Quokka's bound of L1 for such a wave, into gas of a thousandth of the temperature, is 0.09.
TEST(lit, a_wave_of_heat_makes_its_way_through_gas_that_gets_transparent) {
  const struct {
    grid kind;
    double cold;
  } waves[] = {{grid::uniform, 0.3}, {grid::uniform, 0.1}, {grid::uniform, 0.01}, {grid::refined, 0.1}};
  for (const auto& wave : waves) {
    const wave_front is = enter_cold_gas(wave.cold, wave.kind);
    EXPECT_LT(std::abs(is.late), 0.015);
    EXPECT_LT(is.l1, 0.02);
  }
}

}  // namespace
