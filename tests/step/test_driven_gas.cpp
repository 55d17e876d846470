// Gas that light drives, and gas that carries light, with the hydrodynamics to move it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "step/row_of_blocks.hpp"

namespace rednova::step {
namespace {

using test::lit_place;
using test::row_of_blocks;
using levels = row_of_blocks::mesh_of;

/// A steady wind that a constant force drives, next to isothermal: rho v, the entropy, and enthalpy and kinetic energy
/// less the force's work are the same everywhere. Units of the density and the sound speed at the start, where the
/// Mach number is 1.1; force: of the square of the sound speed by length.
struct thin_wind {
  static constexpr double gamma = 1.0001, mach = 1.1, force = 1;
  double start;

  double density(double x) const {
    const double power = gamma - 1;
    const auto lacks = [&](double rho) {
      const double v = mach / rho;
      return 0.5 * (v * v - mach * mach) + std::expm1(power * std::log(rho)) / power - force * (x - start);
    };
    double low = 0.1, high = 1;  // supersonic: thinner than at the start
    for (int n = 0; n < 60; ++n) {
      const double rho = 0.5 * (low + high);
      (lacks(rho) > 0 ? low : high) = rho;
    }
    return low;
  }
  lit_place at(double x, double energy, double c) const {
    const double rho = density(x);
    return {rho, mach / rho, std::pow(rho, gamma) / (gamma * (gamma - 1)), energy, c * energy};
  }
};

/// The error of the density's mean, over the density, of a wind from a beam of optical depth 1e-6, after three
/// crossings.
double wind_error(int blocks, levels on) {
  const double c = 1.5e6, opacity = 1e-6, energy = thin_wind::force / opacity;
  const thin_wind exact{-0.5 / blocks};
  config::parameters p = row_of_blocks::parameters(blocks);
  p.hydro.gamma = thin_wind::gamma;
  p.radiation.light_speed = c;
  p.radiation.extinction = opacity;
  p.radiation.substeps = 4;
  p.radiation.temperature = 1;
  row_of_blocks row(
      p, [&](double x) { return exact.at(x, energy, c); }, on);
  row.advance_to(2);
  double error = 0, sum = 0;
  row.along([&](int leaf, int cell, double x) {
    const double rho = exact.density(x);
    error += row.width(leaf) * std::abs(row.density(leaf, cell) - rho);
    sum += row.width(leaf) * rho;
  });
  std::printf("thin wind, %d cells, %s: L1 of the density %.1e\n", blocks * mesh::N,
              on == levels::one_level ? "uniform" : "refined", error / sum);
  return error / sum;
}

TEST(driven_gas, a_thin_wind_has_the_density_that_light_gives_it) {
  EXPECT_LT(wind_error(4, levels::one_level), 1.5e-4);
  EXPECT_LT(wind_error(4, levels::finer_middle), 1.5e-4);
}

/// A pulse of temperature in gas and light whose pressures balance (Krumholz et al. 2007, ApJ 667, 626, sec. 4.1): T0 =
/// 1e7 K, twice as much in its middle, rho0 = 1.2 g/cm³, mean weight 2.33, width 24 cm of a ring of 256 cm. Units: the
/// ring, T0, and what makes R and a 1.
struct balanced_pulse {
  static constexpr double density = 5.660, c = 1587, kilometres = 0.005294, width = 24.0 / 256;
  static constexpr int blocks = 4;
  double opacity;   ///< cm²/g
  double velocity;  ///< km/s

  double depth() const { return opacity * 1.2 * 256; }  ///< of the ring, at rho0
  lit_place at(double x, double v) const {
    const double t = 1 + std::exp(-std::pow((x - 0.5) / width, 2) / 2), e = std::pow(t, 4);
    const double rho = density / t + (1 / t - std::pow(t, 3)) / 3;
    return {rho, v, 1.5 * rho * t, e, 4.0 / 3 * v * e};
  }
  struct temperatures {
    std::vector<double> light, gas;
  };
  temperatures after(double time, double v) const {
    config::parameters p = row_of_blocks::parameters(blocks, row_of_blocks::ends::ring);
    p.hydro.gamma = 5.0 / 3;
    p.radiation.light_speed = c;
    p.radiation.absorption = p.radiation.extinction = depth() / density;
    p.radiation.substeps = 16;
    p.radiation.temperature = 1;
    row_of_blocks row(p, [&](double x) { return at(x, v); });
    row.advance_to(time);
    temperatures r;
    row.along([&](int leaf, int cell, double) {
      r.light.push_back(std::pow(row.energy(leaf, cell), 0.25));
      r.gas.push_back(row.heat(leaf, cell) / (1.5 * row.density(leaf, cell)));
    });
    return r;
  }
  /// Of pulses at rest and carried by `cells` cells: the mean error of the temperatures against that of light at rest.
  double error(int cells) const {
    const double v = velocity * kilometres, time = cells / (8.0 * blocks) / v;
    const temperatures rests = after(time, 0), moves = after(time, v);
    double sum = 0, error = 0, carried = 0;
    const std::size_t n = rests.light.size();
    for (std::size_t i = 0; i < n; ++i) {
      const double is = rests.light[i];
      const std::size_t there = (i + static_cast<std::size_t>(cells)) % n;
      carried += std::abs(moves.light[there] - is);
      error += (std::abs(rests.gas[i] - is) + std::abs(moves.light[there] - is) + std::abs(moves.gas[there] - is)) / 3;
      sum += is;
    }
    std::printf("pulse, %g cm2/g, %g km/s: L1 of temperatures %.1e, of that of carried light %.1e\n", opacity, velocity,
                error / sum, carried / sum);
    return error / sum;
  }
};

// beta tau of the pulse's width: 0.1 and 96, on 3 cells to its width. Quokka's bounds are 6e-3 and 8e-3, on more cells.
// With 4 substeps the slow one has 5e-3: what light does to gas is explicit in time (docs/radiation.md).
TEST(driven_gas, carries_a_pulse_of_light_as_it_is_at_rest) {
  EXPECT_LT((balanced_pulse{100, 10}.error(3)), 2e-3);
  EXPECT_LT((balanced_pulse{1000, 1000}.error(32)), 7e-3);
}

}  // namespace
}  // namespace rednova::step
