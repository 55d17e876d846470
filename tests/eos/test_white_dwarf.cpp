// The gas of white dwarfs: its limits, its thermodynamics, and the stars that it makes.
#include "eos/white_dwarf.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "eos/stored_gas.hpp"

namespace {

using namespace rednova;

const core::units cgs{};
const eos::white_dwarf gas = eos::white_dwarf::in(cgs, 2.0, 4.0 / 3.0);

/// The density at which electrons have the Fermi momentum x m_e c.
double density(double x) { return gas.density_scale * x * x * x; }

/// Energies of states with half to three times as much thermal pressure as degenerate.
std::array<double, 3> energies(double rho) {
  const auto c = gas.cold(rho);
  return {c.energy + 0.75 * c.pressure, c.energy + 1.5 * c.pressure, c.energy + 4.5 * c.pressure};
}

/// Constants as tables print them (Chandrasekhar 1939, with today's constants): p = A f(x), rho = B mu_e x³.
TEST(white_dwarf, scales) {
  EXPECT_NEAR(gas.pressure_scale, 6.002332e22, 5e15);
  EXPECT_NEAR(gas.density_scale / 2.0, 9.739322e5, 5e-2);
}

/// p_deg tends to (8/5) A x^5 and 2 A x^4; the next terms are 5 x²/14 and 1/x² of them. Energy per pressure: 3/2 and 3.
TEST(white_dwarf, limits) {
  const double x = 1e-5, y = 1e5;
  EXPECT_NEAR(gas.cold(density(x)).pressure / (1.6 * gas.pressure_scale * std::pow(x, 5)), 1.0, x * x);
  EXPECT_NEAR(gas.cold(density(x)).energy / gas.cold(density(x)).pressure, 1.5, x * x);
  EXPECT_NEAR(gas.cold(density(y)).pressure / (2.0 * gas.pressure_scale * std::pow(y, 4)), 1.0, 2.0 / (y * y));
  EXPECT_NEAR(gas.cold(density(y)).energy / gas.cold(density(y)).pressure, 3.0, 5.0 / y);
  const auto gamma1 = [](double rho) {
    eos::cell_ratios<double> ratios;
    gas.at(rho).pressure(gas.cold(rho).energy, ratios);
    return ratios.gamma1;
  };
  EXPECT_NEAR(gamma1(density(x)), 5.0 / 3.0, x * x);
  EXPECT_NEAR(gamma1(density(y)), 4.0 / 3.0, 2.0 / (y * y));
  EXPECT_EQ(gas.at(0.0).pressure(3.0), (gas.gamma - 1.0) * 3.0);
}

/// The series and the closed forms where one takes over. The closed forms lose five powers of x = 0.35, 5e-3, of 1e-16:
/// 1e-13 with the few operations that they are. The derivative joins the two sides.
TEST(white_dwarf, series_meets_closed_form) {
  const double x = eos::white_dwarf::series_end, rho = density(x);
  const auto below = gas.cold(rho * (1.0 - 1e-9)), above = gas.cold(rho * (1.0 + 1e-9)), at = gas.cold(rho);
  EXPECT_NEAR((above.pressure - below.pressure - 2e-9 * rho * at.pressure_derivative) / at.pressure, 0.0, 1e-13);
  EXPECT_NEAR((above.energy - below.energy - 2e-9 * rho * at.enthalpy) / at.energy, 0.0, 1e-13);
}

/// Differences of eighth order over 2 % of rho: their own error is 1e-13 and rounding is 1e-14 over 0.02.
double derivative(const std::function<double(double)>& f, double at) {
  const std::array<double, 4> weights{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double h = 0.02 * at;
  double sum = 0;
  for (int k = 1; k <= 4; ++k) sum += weights[static_cast<std::size_t>(k - 1)] * (f(at + k * h) - f(at - k * h));
  return sum / h;
}

TEST(white_dwarf, derivatives) {
  for (const double x : {1e-3, 0.1, 0.3, 0.4, 1.0, 3.0, 100.0}) {
    const double rho = density(x);
    const auto c = gas.cold(rho);
    const double dp = derivative([](double r) { return gas.cold(r).pressure; }, rho);
    const double de = derivative([](double r) { return gas.cold(r).energy; }, rho);
    EXPECT_NEAR(dp / c.pressure_derivative, 1.0, 1e-11) << x;
    EXPECT_NEAR(de / c.enthalpy, 1.0, 1e-11) << x;
    EXPECT_NEAR((c.energy + c.pressure) / (rho * c.enthalpy), 1.0, 1e-13) << x;
    // c² = dp/drho at constant e, and (e + p) / rho dp/de.
    for (const double e : energies(rho)) {
      eos::cell_ratios<double> ratios;
      const double p = gas.at(rho).pressure(e, ratios);
      const double slope = derivative([e](double r) { return gas.at(r).pressure(e); }, rho);
      const double c2 = slope + (e + p) / rho * (gas.gamma - 1.0);
      EXPECT_NEAR(c2 / eos::stored_gas::sound_speed_squared(rho, p, ratios), 1.0, 1e-10) << x;
      EXPECT_NEAR(eos::stored_gas::internal_energy(p, ratios) / e, 1.0, 1e-15) << x;
    }
  }
}

/// Along an isentrope, de = (e + p)/rho drho, the tracer per mass is constant; Runge-Kutta of 400 steps over a factor
/// of 10 in rho has an error of 1e-11.
TEST(white_dwarf, tracer_is_entropy) {
  for (const double x : {0.05, 0.3, 2.0}) {
    double s = std::log(density(x)), e = energies(density(x))[1];
    const double tau = gas.at(density(x)).entropy_tracer(e) / density(x), h = std::numbers::ln10 / 400;
    const auto rate = [](double log_rho, double energy) { return energy + gas.at(std::exp(log_rho)).pressure(energy); };
    for (int n = 0; n < 400; ++n, s += h) {
      const double a = rate(s, e), b = rate(s + h / 2, e + h / 2 * a), c = rate(s + h / 2, e + h / 2 * b);
      e += h / 6 * (a + 2 * b + 2 * c + rate(s + h, e + h * c));
    }
    EXPECT_NEAR(gas.at(std::exp(s)).entropy_tracer(e) / std::exp(s) / tau, 1.0, 1e-9) << x;
  }
}

TEST(white_dwarf, inverses) {
  for (const double x : {1e-4, 1e-2, 0.2, 0.35, 0.5, 2.0, 50.0}) {
    const double rho = density(x);
    EXPECT_NEAR(gas.density_of_enthalpy(gas.cold(rho).enthalpy) / rho, 1.0, 1e-14);
    for (const double e : energies(rho)) {
      const double p = gas.at(rho).pressure(e);
      eos::cell_ratios<double> ratios;
      EXPECT_EQ(p, gas.at(rho).pressure(e, ratios));
      EXPECT_NEAR(gas.at(rho).energy_of_pressure(p) / e, 1.0, 2e-15);
      // The tracer's power: rounding grows with its logarithm, 60.
      EXPECT_NEAR(gas.at(rho).energy_of_tracer(gas.at(rho).entropy_tracer(e)) / e, 1.0, 3e-14);
    }
  }
  EXPECT_EQ(gas.density_of_enthalpy(-1.0), 0.0);
}

/// Ions that are an ideal gas: p_thermal = rho k T / (mu m_u). Below the cold curve there is no heat.
TEST(white_dwarf, temperature) {
  const double rho = 1e6, kelvin = 1e8;
  const double p = rho * core::boltzmann * kelvin / (4.0 / 3.0 * core::atomic_mass);
  const double e = gas.cold(rho).energy + p / (gas.gamma - 1.0);
  EXPECT_NEAR(gas.at(rho).temperature(e) / kelvin, 1.0, 1e-13);
  EXPECT_EQ(gas.at(rho).temperature(0.9 * gas.cold(rho).energy), 0.0);
  EXPECT_EQ(gas.at(rho).entropy_tracer(0.9 * gas.cold(rho).energy), 0.0);
}

/// The same state in units of the Sun.
TEST(white_dwarf, code_units) {
  const auto u = core::units::self_gravitating(core::solar_radius, core::solar_mass);
  const eos::white_dwarf solar = eos::white_dwarf::in(u, 2.0, 4.0 / 3.0);
  const double rho = 1e6, e = energies(rho)[1];
  const double r = rho / u.density(), h = e / u.pressure();
  EXPECT_NEAR(solar.at(r).pressure(h) * u.pressure() / gas.at(rho).pressure(e), 1.0, 1e-14);
  EXPECT_NEAR(solar.at(r).temperature(h) / gas.at(rho).temperature(e), 1.0, 1e-13);
}

/// A pack's lanes are the doubles' results, to the bit.
TEST(white_dwarf, packs) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> log_x(-4.0, 2.0), heat(0.0, 3.0);
  for (int n = 0; n < 1000; ++n) {
    exec::pack rho, e;
    for (std::size_t i = 0; i < exec::pack::size(); ++i) {
      rho[i] = density(std::pow(10.0, log_x(random)));
      e[i] = gas.cold(double(rho[i])).energy * (1.0 + heat(random));
    }
    const auto here = gas.at(rho);
    eos::cell_ratios<exec::pack> ratios;
    const auto pressure = here.pressure(e, ratios);
    const auto tau = here.entropy_tracer(e), back = here.energy_of_tracer(tau);
    const auto kelvin = here.temperature(e), density_back = gas.density_of_enthalpy(gas.cold(rho).enthalpy);
    for (std::size_t i = 0; i < exec::pack::size(); ++i) {
      const double r = rho[i], h = e[i];
      eos::cell_ratios<double> of_lane;
      EXPECT_EQ(double(pressure[i]), gas.at(r).pressure(h, of_lane));
      EXPECT_EQ(double(ratios.gamma1[i]), of_lane.gamma1);
      EXPECT_EQ(double(ratios.energy_over_pressure[i]), of_lane.energy_over_pressure);
      EXPECT_EQ(double(tau[i]), gas.at(r).entropy_tracer(h));
      EXPECT_EQ(double(back[i]), gas.at(r).energy_of_tracer(double(tau[i])));
      EXPECT_EQ(double(kelvin[i]), gas.at(r).temperature(h));
      EXPECT_EQ(double(density_back[i]), gas.density_of_enthalpy(gas.cold(r).enthalpy));
    }
  }
}

struct star {
  double radius, mass;
};

/// Hydrostatic equilibrium with the enthalpy as variable, dH/dr = -G m/r², from the centre to H = 0: Runge-Kutta with
/// steps that shrink towards both ends.
star cold_star(double central_density) {
  constexpr int steps = 2000;
  const double centre = gas.cold(central_density).enthalpy;
  const auto at = [&](int n) { return 0.5 * centre * (1.0 + std::cos(core::pi * n / steps)); };
  struct pair {
    double r, m;
  };
  const auto rate = [](double h, const pair& y) {
    const double r2 = y.r * y.r, dr = -r2 / (core::newton_g * y.m);
    return pair{dr, 4.0 * core::pi * r2 * gas.density_of_enthalpy(h) * dr};
  };
  const auto moved = [](const pair& y, double h, const pair& k) { return pair{y.r + h * k.r, y.m + h * k.m}; };
  const double r = std::sqrt(1.5 * (centre - at(1)) / (core::pi * core::newton_g * central_density));
  pair y{r, 4.0 / 3.0 * core::pi * r * r * r * central_density};
  for (int n = 1; n < steps; ++n) {
    const double a = at(n), h = at(n + 1) - a;
    const pair k1 = rate(a, y), k2 = rate(a + h / 2, moved(y, h / 2, k1)), k3 = rate(a + h / 2, moved(y, h / 2, k2));
    const pair k4 = rate(a + h, moved(y, h, k3));
    y = {y.r + h / 6 * (k1.r + 2 * k2.r + 2 * k3.r + k4.r), y.m + h / 6 * (k1.m + 2 * k2.m + 2 * k3.m + k4.m)};
  }
  return {y.r, y.m};
}

/// A cold white dwarf of 0.6 solar masses, and the mass that none exceeds. The expected numbers are of an independent
/// program with the same equations, printed with four to five digits; Chandrasekhar's limit is 5.836 solar masses over
/// mu_e² (Chandrasekhar 1939), 1.456 with the constants of today.
TEST(white_dwarf, mass_and_radius) {
  double low = 1e5, high = 1e8;
  for (int n = 0; n < 40; ++n) {
    const double middle = std::sqrt(low * high);
    (cold_star(middle).mass < 0.6 * core::solar_mass ? low : high) = middle;
  }
  EXPECT_NEAR(low, 3.207e6, 2e3);
  EXPECT_NEAR(cold_star(low).radius, 8.841e8, 2e5);
  EXPECT_NEAR(cold_star(1e17).mass / core::solar_mass, 1.4563, 1e-4);
}

}  // namespace
