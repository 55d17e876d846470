// Gas and light that hold each other up, and that a shock compresses, against solutions of ordinary differential
// equations, between fixed boundaries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "hydro/dual_energy.hpp"
#include "step/radiative_shock.hpp"
#include "step/row_of_blocks.hpp"

namespace rednova::step {
namespace {

using test::lit_place;
using test::row_of_blocks;
using levels = row_of_blocks::mesh_of;

const char* name_of(levels on) { return on == levels::one_level ? "uniform" : "refined"; }

/// Gas and light of the radiation-pressure tube of Krumholz et al. (2007, ApJ 667, 626, sec. 4.3): p + E/3 is the same
/// everywhere, T⁴ = E, and a flux c/(3 rho kappa) dE/dx goes through.
class pressure_tube {
 public:
  static constexpr double total = 1.2, hottest = 2.8, coolest = 1.0, gamma = 5.0 / 3;
  double capacity = 0.87 / (gamma - 1) / std::pow(1.2, 1.25) / 1.5e5;
  double mean_density = 0;

  /// From lower to upper, as a table: x of falling E.
  pressure_tube(double lower, double upper) : lower_(lower) {
    constexpr int n = 40000;
    const double step = (hottest - coolest) / n;
    x_.push_back(0);
    for (int k = 0; k < n; ++k) x_.push_back(x_.back() + step / density_of(hottest - (k + 0.5) * step));
    per_ = (upper - lower) / x_.back();
    mean_density = (hottest - coolest) / x_.back();  // of the integral of rho by x
    step_ = step;
    slope_ = -1 / per_;
  }
  double energy(double x) const {
    const double of = (x - lower_) / per_;
    const auto after = std::ranges::upper_bound(x_, of);
    const auto n = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - x_.begin(), 1, std::ssize(x_) - 1));
    const double share = (of - x_[n - 1]) / (x_[n] - x_[n - 1]);
    return hottest - step_ * (static_cast<double>(n - 1) + share);
  }
  double density_of(double e) const { return (total - e / 3) / ((gamma - 1) * capacity * std::pow(e, 0.25)); }
  /// rho kappa = opacity rho; dE/dx = - rho/per_.
  double flux(double light_speed, double opacity) const { return -slope_ * light_speed / (3 * opacity); }

 private:
  double lower_, per_, step_, slope_;
  std::vector<double> x_;
};

/// The largest error of the density after three crossings of sound.
double tube_error(int blocks, double cfl, levels on = levels::one_level) {
  const double h = 1.0 / (blocks * mesh::N), beyond = 1.0 / blocks;
  const pressure_tube exact(-beyond, 1 + beyond);
  config::parameters p = row_of_blocks::parameters(blocks);
  p.hydro.gamma = pressure_tube::gamma;
  p.hydro.cfl = cfl;
  p.radiation.light_speed = 1;
  p.radiation.mean_weight = 1 / (exact.capacity * (pressure_tube::gamma - 1));
  p.radiation.absorption = p.radiation.extinction = 300 / (h * exact.mean_density);  // depth of a cell: 300
  p.radiation.substeps = 8;
  p.radiation.cfl = 0.2;
  p.radiation.temperature = 1;
  row_of_blocks row(
      p,
      [&](double x) {
        const double e = exact.energy(x), rho = exact.density_of(e);
        return lit_place{rho, 0, rho * exact.capacity * std::pow(e, 0.25), e,
                         exact.flux(p.radiation.light_speed, p.radiation.extinction)};
      },
      on);
  const double sound =
      std::sqrt(pressure_tube::gamma * pressure_tube::total / exact.density_of(pressure_tube::coolest));
  while (row.s.time() < 3 / sound) row.advance();
  double worst = 0, light = 0, speed = 0;
  row.along([&](int leaf, int c, double x) {
    const double e = exact.energy(x);
    worst = std::max(worst, std::abs(row.density(leaf, c) / exact.density_of(e) - 1));
    light = std::max(light, std::abs(row.energy(leaf, c) / e - 1));
    speed = std::max(speed, std::abs(row.velocity(leaf, c)) / sound);
  });
  std::printf("radiation-pressure tube, %d cells, %s, cfl %g: density %.1e, E %.1e, v/c_s %.1e\n", blocks * mesh::N,
              name_of(on), cfl, worst, light, speed);
  return worst;
}

TEST(radiative_flow, light_holds_gas_up_in_a_tube) {
  // Of first order in the step: gas moves by its own pressure before light stops it, and drifts. Measured 5.3e-4.
  const double whole = tube_error(4, 0.4), half = tube_error(4, 0.2);
  EXPECT_LT(whole, 6.5e-4);  // the model, whose gas is edged by plm, has 7e-4
  EXPECT_LT(half, 0.7 * whole);
}

TEST(radiative_flow, light_holds_gas_up_through_finer_cells) {
  EXPECT_LT(tube_error(4, 0.4, levels::finer_middle), 4.5e-4);
}

struct shock_errors {
  double temperature, density;  ///< behind, relative
  double moved;                 ///< in coarse cells
  double peak;                  ///< of T, over that behind
  double profile;               ///< mean error of T, where it is not constant, over its jump
  double of_light;              ///< mean error of T_rad over its mean

  void add(const shock_errors& e, double weight) {
    temperature += weight * e.temperature;
    density += weight * e.density;
    moved += weight * e.moved;
    peak += weight * e.peak;
    profile += weight * e.profile;
    of_light += weight * e.of_light;
  }
};

/// The shock of Mach 2, a0 = c/1732, in a row 0.03 long in their unit.
class standing_shock {
 public:
  standing_shock(int blocks, int substeps, config::reconstruction edges, levels on)
      : coarse_(1.0 / (blocks * mesh::N)),
        row_(
            parameters(blocks, substeps, edges, exact_, e0_), [this](double x) { return place_at(x); }, on) {
    std::printf("shock, %d cells, %s, %d substeps, %s", blocks * mesh::N, name_of(on), substeps,
                edges == config::reconstruction::ppm ? "ppm" : "plm");
  }

  /// After the gas has crossed the row so many times: the mean of what is measured since the time `from` of these.
  shock_errors after(double crossings, double from) {
    shock_errors mean{};
    double least = 1e9, most = 0, all = 0;
    while (row_.s.time() < crossings / exact_.mach) {
      const double before = row_.s.time();
      row_.advance();
      if (before < from / exact_.mach && row_.s.time() < crossings / exact_.mach) continue;
      const double dt = row_.s.time() - before;
      const shock_errors now = measured();
      mean.add(now, dt);
      all += dt;
      least = std::min(least, now.peak);
      most = std::max(most, now.peak);
    }
    shock_errors r{};
    r.add(mean, 1 / all);
    std::printf(
        ", %lld steps: T %.1e, rho %.1e, moved %.1f cells, peak %.4f, from %.4f to %.4f (%.4f), L1 of T %.1e, of T_rad "
        "%.1e\n",
        static_cast<long long>(row_.s.step()), r.temperature, r.density, r.moved, r.peak, least, most,
        exact_.temperature(exact_.spike) / behind_, r.profile, r.of_light);
    return r;
  }

 private:
  static constexpr double unit_ = 0.03, place_ = 0.6;  // x = 0 to 1 is so long; where the shock is

  // In units of the upstream sound speed; a = 1: rho = e0.
  static config::parameters parameters(int blocks, int substeps, config::reconstruction edges,
                                       const test::radiative_shock& exact, double e0) {
    const double c = std::sqrt(3.0) * 1e3;
    config::parameters p = row_of_blocks::parameters(blocks);
    p.hydro.gamma = exact.gamma;
    p.hydro.reconstruct = edges;
    p.radiation.light_speed = c;
    p.radiation.mean_weight = exact.gamma;  // p = rho T/gamma
    p.radiation.absorption = p.radiation.extinction = c / (3 * exact.diffusivity) * unit_ / e0;
    p.radiation.substeps = substeps;
    p.radiation.temperature = 1;
    return p;
  }
  lit_place place_at(double x) const {
    const auto here = exact_.at((x - place_) * unit_);
    const double rho = e0_ * exact_.density(here), t = exact_.temperature(here);
    return {rho, here.velocity, rho * t / (exact_.gamma * (exact_.gamma - 1)), e0_ * here.energy,
            e0_ * exact_.flux(here)};
  }
  shock_errors measured() const {
    shock_errors r{};
    double steepest = 0, at = 0, before = 0, sum = 0, jump = 0, hottest = 0, light = 0, bright = 0, far = 0;
    row_.along([&](int leaf, int c, double x) {
      const double rho = row_.density(leaf, c) / e0_, h = row_.width(leaf);
      if (before > 0 && rho - before > steepest) {
        steepest = rho - before;
        at = x - 0.5 * h;
      }
      before = rho;
      const double t = row_.heat(leaf, c) / (rho * e0_) * exact_.gamma * (exact_.gamma - 1);
      const auto here = exact_.at((x - place_) * unit_);
      if (x > 0.9 && x < 0.95) {
        r.temperature += t / exact_.temperature(here) - 1;
        r.density += rho / exact_.density(here) - 1;
        far += 1;
      }
      sum += h * std::abs(t - exact_.temperature(here));
      jump += h * (exact_.temperature(here) - 1);
      hottest = std::max(hottest, t);
      const double is = std::pow(e0_ * here.energy, 0.25);
      light += h * std::abs(std::pow(row_.energy(leaf, c), 0.25) - is);
      bright += h * is;
    });
    r.temperature /= far;
    r.density /= far;
    r.moved = (at - place_) / coarse_;
    r.peak = hottest / behind_;
    r.profile = sum / jump;
    r.of_light = light / bright;
    return r;
  }

  test::radiative_shock exact_{1};
  double e0_ = 1 / exact_.p0, behind_ = exact_.temperature(exact_.downstream), coarse_;
  row_of_blocks row_;
};

// The temperature right behind the shock falls within three cells, so that the mean of a cell is 1.037 at most of that
// far behind, where the exact peak is 1.060. Edges of ppm, which nothing flattens at a shock, go beyond by 0.05.
TEST(radiative_flow, a_shock_has_the_structure_of_lowrie_and_edwards) {
  const shock_errors e = standing_shock(12, 8, config::reconstruction::ppm, levels::one_level).after(2, 2);
  EXPECT_LT(std::abs(e.temperature), 7e-4);  // the model's, as are the next
  EXPECT_LT(std::abs(e.density), 1e-3);
  EXPECT_LT(std::abs(e.moved), 0.6);  // in cells: it is smeared over two
  EXPECT_NEAR(e.peak, 1.0603, 0.03);
  EXPECT_LT(e.profile, 0.016);
  EXPECT_LT(e.of_light, 5e-3);  // as Quokka's nearest bound
}

TEST(radiative_flow, a_shock_stands_within_finer_cells) {
  const shock_errors e = standing_shock(6, 8, config::reconstruction::ppm, levels::finer_middle).after(2, 2);
  EXPECT_LT(std::abs(e.temperature), 7e-4);
  EXPECT_LT(std::abs(e.density), 1e-3);
  EXPECT_LT(std::abs(e.moved), 0.6);
  EXPECT_NEAR(e.peak, 1.0603, 0.03);
  EXPECT_LT(e.of_light, 5e-3);
}

// With plm the shock goes to and fro within a cell, and the peak with it, from 1.028 to 1.066, as in the model, whose
// gas is edged by plm, from 1.029 to 1.070. In the mean over a crossing that has 1.055 and errors behind of 2e-4 and
// 4e-4. The light is that of a shock smeared over a cell more than with ppm.
void expect_the_mean_of_a_shock_with_plm(const shock_errors& mean) {
  EXPECT_NEAR(mean.peak, 1.0603, 0.013);
  EXPECT_LT(std::abs(mean.temperature), 5e-4);
  EXPECT_LT(std::abs(mean.density), 5e-4);
  EXPECT_LT(mean.of_light, 7e-3);
}
TEST(radiative_flow, a_shock_has_the_peak_of_lowrie_and_edwards_with_plm) {
  expect_the_mean_of_a_shock_with_plm(
      standing_shock(12, 8, config::reconstruction::plm, levels::one_level).after(1.5, 0.5));
}
TEST(radiative_flow, a_shock_has_the_peak_with_plm_within_finer_cells) {
  expect_the_mean_of_a_shock_with_plm(
      standing_shock(6, 8, config::reconstruction::plm, levels::finer_middle).after(1, 0.5));
}

/// What a shock leaves behind that light of `light` times rho a0² carries: the variation of the density beside its
/// jump, over the jump, when gas has left thrice. Depth of a cell: 1e3.
double ripples(double mach, double light, config::riemann_solver by) {
  const test::radiative_jump exact(mach, light, 5.0 / 3);
  const int blocks = 4;
  const double h = 1.0 / (blocks * mesh::N), c = 3e3, e0 = 1 / exact.p0, place = 0.3;
  config::parameters p = row_of_blocks::parameters(blocks);
  p.hydro.gamma = exact.gamma;
  p.hydro.riemann = by;
  p.radiation.light_speed = c;
  p.radiation.mean_weight = exact.gamma;
  p.radiation.absorption = p.radiation.extinction = 1e3 / (e0 * h);
  p.radiation.substeps = 8;
  p.radiation.temperature = 1;
  const test::radiative_jump::place upstream{0, mach, exact.p0};
  row_of_blocks row(p, [&](double x) {
    const auto& is = x < place ? upstream : exact.downstream;
    const double rho = e0 * exact.density(is), t = exact.temperature(is);
    return lit_place{rho, is.velocity, rho * t / (exact.gamma * (exact.gamma - 1)), e0 * is.energy,
                     e0 * exact.flux(is)};
  });
  while (row.s.time() < 3 / exact.downstream.velocity) row.advance();
  const double jump = exact.density(exact.downstream) - 1;
  double variation = 0, before = 1, behind = 0;
  row.along([&](int leaf, int cell, double x) {
    const double rho = row.density(leaf, cell) / e0;
    variation += std::abs(rho - before);
    before = rho;
    if (x > 0.9 && x < 0.95) behind = rho / exact.density(exact.downstream) - 1;
  });
  variation += std::abs(exact.density(exact.downstream) - before);
  std::printf(
      "shock of Mach %g carried by light of E/p %.3g, %s: density behind %.1e, ripples %.1e of a jump of %.2f\n", mach,
      exact.p0 * exact.gamma, by == config::riemann_solver::kt ? "kt" : "hllc", behind, variation / jump - 1, jump + 1);
  return variation / jump - 1;
}

TEST(radiative_flow, shocks_of_gas_that_light_carries_are_damped) {
  // Measured 0.31; some 0.2 more where the Riemann problem does not know of light.
  EXPECT_LT(ripples(5, 1, config::riemann_solver::hllc), 0.4);
}

TEST(radiative_flow, trapped_light_stiffens_the_gas) {
  const double density = 2, heat = 3, energy = 40;
  for (const double depth : {1e-3, 1.0, 1e6}) {
    config::parameters p = row_of_blocks::parameters(2);
    p.radiation.light_speed = 1e3;
    p.radiation.extinction = depth / density * 2 * mesh::N;
    p.radiation.temperature = 1;
    const row_of_blocks row(p, [&](double) { return lit_place{density, 0, heat, energy, 0}; });
    const mesh::fields& f = row.s.fields();
    const double pressure = (p.hydro.gamma - 1) * heat,
                 stiffness = p.hydro.gamma * pressure + 4.0 / 9 * energy * depth * depth / (1 + depth * depth);
    row.along([&](int leaf, int c, double) {
      EXPECT_NEAR(row.s.u().at(leaf, f.pressure())[c] * row.s.u().at(leaf, f.gamma1())[c] / stiffness, 1, 1e-14);
    });
  }
}

TEST(radiative_flow, the_exact_shock_is_the_papers) {
  const test::radiative_shock exact(0);
  // Their table: rho and T behind Mach 2.
  EXPECT_NEAR(exact.density(exact.downstream), 2.2860748989, 1e-9);
  EXPECT_NEAR(exact.temperature(exact.downstream), 2.0775699953, 1e-9);
  // The model's integration by other means.
  EXPECT_NEAR(exact.temperature(exact.spike) / exact.temperature(exact.downstream), 1.0603, 1e-4);
  EXPECT_NEAR(std::pow(exact.spike.energy / exact.p0, 0.25), 1.872, 5e-4);
}

}  // namespace
}  // namespace rednova::step
