// Light and the gas of stars: equilibrium where hydrogen and helium are ionized, against the free energy itself, and
// what both have together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "core/constants.hpp"
#include "eos/stellar_table.hpp"
#include "radiation/heat_of_table.hpp"

namespace {

using namespace rednova;
using radiation::heat_of_table;

constexpr double a = core::radiation_constant, c = core::light_speed;

exec::context& threads() {
  static exec::context two(2);
  return two;
}

/// From hydrogen's ionization to helium's second, with the nodes a decade of the whole table.
eos::stellar_parameters box_of(int tables, double least) {
  eos::stellar_parameters p;
  p.hydrogen_tables = tables;
  p.hydrogen_min = least;
  p.density_min = -8.5;
  p.density_split = -6.5;
  p.density_max = -6.0;
  p.energy_min = 10.8;
  p.energy_max = 15;
  p.dense_columns = p.thin_columns;
  p.with_radiation = eos::radiation::none;
  return p;
}
const eos::stellar_table& solar() {
  static const eos::stellar_table table(box_of(1, 0.7), threads());
  return table;
}
const eos::stellar_table& mixed() {
  static const eos::stellar_table table = [] {
    eos::stellar_parameters p = box_of(3, 0.525);
    p.density_min = -7.5;
    return eos::stellar_table(p, threads());
  }();
  return table;
}

double logarithmic(std::mt19937& random, double low, double high) {
  return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random));
}

/// Gas of cgs that is opaque: a second is 1e9 mean free times.
radiation::coupling<double> opaque() { return {1e9 / c, 1e9 / c, c}; }

TEST(stellar_light, comes_to_the_equilibrium_of_the_free_energy) {
  const eos::stellar table = solar().view(core::units{});
  const eos::free_energy exact(solar().parameters().at(0.7), eos::radiation::none);
  std::mt19937 random(3);
  double worst = 0, books = 0;
  int most = 0;
  for (int n = 0; n < 400; ++n) {
    const double rho = logarithmic(random, 1e-8, 3e-7), t = logarithmic(random, 4e3, 6e4),
                 bath = logarithmic(random, 4e3, 6e4);
    const heat_of_table<double> gas(table, rho, 0.7);
    const double energy = rho * exact.at(rho, t).energy, cold = rho * gas.place.cold_energy();
    radiation::light<double> of{a * std::pow(bath, 4), {}};
    radiation::gas_of_cell<double> cell{rho, {}, energy - cold};
    const double before = of.energy + cell.heat;
    int iterations = 0;
    gas.share(a, before, cell.heat, &iterations);
    most = std::max(most, iterations);
    radiation::gas_exchange<double, heat_of_table<double>>{{c, a}, 1, opaque(), gas}(of, cell);
    books = std::max(books, std::abs(of.energy + cell.heat - before) / before);
    // rho eps(rho, T) + a T⁴ = what there was, by bisection.
    double low = 1e3, high = 1e5;
    for (int half = 0; half < 60; ++half) {
      const double middle = 0.5 * (low + high);
      (rho * exact.at(rho, middle).energy + a * std::pow(middle, 4) > energy + a * std::pow(bath, 4) ? high : low) =
          middle;
    }
    worst = std::max({worst, std::abs(table.temperature(rho, cold + cell.heat, 0.7) / low - 1),
                      std::abs(std::pow(of.energy / a, 0.25) / low - 1)});
  }
  std::printf("equilibrium of ionized gas: temperature %.1e, books %.1e, Newton %d\n", worst, books, most);
  EXPECT_LT(worst, 2e-5);   // of the table's temperatures: 5e-6 at most (docs/eos.md); its energies' add to it
  EXPECT_LT(books, 1e-15);  // a rounding of the sum
  EXPECT_LE(most, 12);      // the slope of logarithms varies by no more than 40 from zone to zone
}

TEST(stellar_light, shares_energy_between_tables_of_compositions) {
  const eos::stellar table = mixed().view(core::units{});
  std::mt19937 random(5);
  double worst = 0;
  for (int n = 0; n < 200; ++n) {
    const double rho = logarithmic(random, 1e-7, 5e-7), x = std::uniform_real_distribution<double>(0.53, 0.69)(random);
    const double sum = rho * logarithmic(random, 3e11, 3e14), b = logarithmic(random, 1e-4, 1e2) * a;
    const heat_of_table<double> gas(table, rho, x);
    const radiation::equilibrium<double> found = gas.share(b, sum, 1e-3 * sum, nullptr);
    const double cold = rho * gas.place.cold_energy();
    double low = 1e-12 * sum, high = sum;
    for (int half = 0; half < 200; ++half) {
      const double middle = std::sqrt(low * high);
      (middle + b * std::pow(table.temperature(rho, cold + middle, x), 4) > sum ? high : low) = middle;
    }
    worst = std::max({worst, std::abs(found.heat / low - 1),
                      std::abs(found.temperature / table.temperature(rho, cold + low, x) - 1)});
  }
  std::printf("sharing between tables: %.1e\n", worst);
  EXPECT_LT(worst, 1e-9);  // to_one_temperature ends with an error of 1e-10
}

TEST(stellar_light, cools_as_light_takes_its_heat) {
  // de/dt = kappa c (E - a T(e)⁴) in gas that is half ionized, by small steps of Runge and Kutta.
  const eos::stellar table = solar().view(core::units{});
  // Light has a thousand times its energy here, a tenth of the gas's.
  const double rho = 1e-7, first = rho * 1.0e13, kappa = 1e-9, end = 0.05, much = 1e3 * a;
  const heat_of_table<double> gas(table, rho, 0.7);
  const double cold = rho * gas.place.cold_energy();
  const auto rate = [&](double e, double all) {
    return kappa * c * (all - e - much * std::pow(table.temperature(rho, cold + e, 0.7), 4));
  };
  const double all = first + 0.1 * much * std::pow(table.temperature(rho, cold + first, 0.7), 4);
  double exact = first;
  const int fine = 4000;
  for (int n = 0; n < fine; ++n) {
    const double h = end / fine, k1 = rate(exact, all), k2 = rate(exact + 0.5 * h * k1, all),
                 k3 = rate(exact + 0.5 * h * k2, all), k4 = rate(exact + h * k3, all);
    exact += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  double error[2];
  for (int half = 0; half < 2; ++half) {
    const int steps = 200 << half;
    radiation::light<double> of{all - first, {}};
    radiation::gas_of_cell<double> cell{rho, {}, first};
    const radiation::gas_exchange<double, heat_of_table<double>> step{{c, much}, end / steps, {kappa, kappa, c}, gas};
    for (int n = 0; n < steps; ++n) step(of, cell);
    error[half] = std::abs(cell.heat - exact) / exact;
  }
  std::printf("cooling of ionized gas: %.1e, %.1e; heat %.3f of the first\n", error[0], error[1], exact / first);
  EXPECT_LT(exact, 0.97 * first);
  EXPECT_LT(error[0], 5e-3);  // backward Euler, 200 steps of a rate of some 30 over 0.05
  EXPECT_NEAR(error[0] / error[1], 2, 0.2);
}

}  // namespace
