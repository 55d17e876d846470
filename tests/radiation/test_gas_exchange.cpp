// The exchange of gas and light in a cell: its books, its limits, and values of the model in NumPy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "radiation/gas_exchange.hpp"

namespace {

using namespace rednova;
using core::vec3d;
using radiation::gas_of_cell;
using radiation::light;

using heat = radiation::heat_of_power<double>;

/// c = a = 1, dt = 0.5; before and, from the model, after.
struct exchange_case {
  double energy;
  vec3d flux;
  double density;
  vec3d momentum;
  double gas_heat, planck, flux_mean, light_speed, heat_capacity;
  double energy_after;
  vec3d flux_after, momentum_after;
  double heat_after;
};
const exchange_case exchange_cases[] = {
    {0.40737389215135617,
     {0.169898835197793, -0.19635130029928932, -0.11788876872890985},
     431.7416951933126,
     {2.7929518028820497, -8.602106951561902, -1.9996974265699257},
     0.024367803041956487,
     1e-06,
     3e-06,
     0.1353991119132796,
     3.0,
     0.40737386423506566,
     {0.16989880172546518, -0.19635126284813634, -0.11788874551741568},
     {2.7929520500943643, -8.60210722816012, -1.999697598000106},
     0.024368001315517154},
    {24.00475531588766,
     {-9.947420602869759, -11.204856574040821, -7.606041586452082},
     84231.95691910354,
     {1283.2986282421093, -360.5337852309952, -255.79593389914518},
     60.227201603215875,
     0.2,
     0.2,
     0.15154879880666558,
     3.0,
     30.992081103271822,
     {-9.789940271321578, -11.039387253424309, -7.493791261138003},
     {1282.2594888177905, -361.6256402764951, -256.53662156013604},
     14.129982405181917},
    {34.373802456593914,
     {-22.35378657253097, -0.23117855967593323, -8.900468923180483},
     38057.52422838501,
     {443.7993609575213, 248.5493151482923, -9.188461370862475},
     3.683721771791088,
     5.0,
     50.0,
     0.2935825354377047,
     3.0,
     33.57104257196252,
     {-2.2910276683798063, 0.2276147527824943, -1.1036970555085674},
     {375.4616484493865, 246.9865746679214, -35.74580360529629},
     7.148126162791593},
    {1.5507464543294056,
     {-0.004137600128920766, 0.4470369073822867, -0.9891915996684935},
     1745.1271979037208,
     {6.050007822683391, -29.46130920829397, -35.5190789849536},
     0.19438074357431548,
     10000.0,
     10000.0,
     0.45473745831957296,
     3.0,
     0.48715346014092015,
     {0.0022437886615155078, -0.010389940983489832, -0.014446765660184126},
     {6.035974695054059, -28.455395048382574, -37.66261217355513},
     2.5050935215267},
    {0.5162748694649516,
     {0.3279234907833119, -0.12150162106481997, -0.09114830378687215},
     1760.6760992832112,
     {3.616498185345731, 8.680367188186848, -3.1059394400884743},
     1.2444012298182594,
     1000000000.0,
     30000000000.0,
     0.5824348904715345,
     3.0,
     0.15120110763810538,
     {0.00047847064828099886, 0.0009698450957268392, -0.00037348288985733784},
     {4.178698399467406, 8.470092240438792, -3.2617934632283383},
     1.8707051172418023},
};

TEST(gas_exchange, is_the_models) {
  for (const exchange_case& c : exchange_cases) {
    light<double> of{c.energy, c.flux};
    gas_of_cell<double> gas{c.density, c.momentum, c.gas_heat};
    const radiation::gas_exchange<double, heat> step{
        {1.0, 1.0}, 0.5, {c.planck, c.flux_mean, c.light_speed}, heat{c.heat_capacity}};
    step(of, gas);
    // Of the larger energy the smaller one is found by difference.
    const double energies = 1e-14 * (c.energy + c.gas_heat) / c.light_speed;
    EXPECT_NEAR(of.energy, c.energy_after, energies);
    EXPECT_NEAR(gas.heat, c.heat_after, energies);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(of.flux[d], c.flux_after[d], 1e-14 * (c.energy + c.gas_heat));
      EXPECT_NEAR(gas.momentum[d], c.momentum_after[d], 1e-14 * radiation::length_of(c.momentum));
    }
  }
}

/// Random cells of the model's own test, with rho kappa c dt from 1e-12 to 1e12; c is not 1, for units' sake.
class random_cell {
 public:
  explicit random_cell(std::mt19937& random, double kappa) : random_(random) {
    of.energy = power(-12, 8);
    gas.heat = power(-8, 8);
    gas.density = power(2, 8) * std::max(1.0, 10 * (of.energy + gas.heat)) / (c * c);
    vec3d f{normal(), normal(), normal()};
    of.flux = (c * of.energy * share() / radiation::length_of(f)) * f;
    gas.momentum = (gas.density * c * 1e-3) * vec3d{normal(), normal(), normal()};
    by = {kappa / c, kappa / c * power(0, 2), c * power(-2, 0)};
    capacity = power(-3, 3);
  }
  radiation::gas_exchange<double, heat> step() const { return {{c, 1.0}, 1.0, by, heat{capacity}}; }

  static constexpr double c = 300;
  light<double> of{};
  gas_of_cell<double> gas{};
  radiation::coupling<double> by{};
  double capacity = 0;

 private:
  double power(double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random_));
  }
  double normal() { return std::normal_distribution<double>()(random_); }
  double share() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  std::mt19937& random_;
};

double kinetic(const gas_of_cell<double>& g) { return 0.5 * dot(g.momentum, g.momentum) / g.density; }

TEST(gas_exchange, closes_its_books_from_thin_to_thick) {
  std::mt19937 random(1);
  double energy = 0, momentum = 0, equilibrium = 0, fastest = 0;
  int iterations = 0;
  for (int decade = -12; decade <= 12; ++decade) {
    for (int n = 0; n < 400; ++n) {
      random_cell cell(random, std::pow(10.0, decade));
      light<double> of = cell.of;
      gas_of_cell<double> gas = cell.gas;
      int took = 0;
      cell.step()(of, gas, &took);
      iterations = std::max(iterations, took);
      const double x = cell.c / cell.by.light_speed;
      const double before = x * cell.of.energy + cell.gas.heat + kinetic(cell.gas);
      const double change =
          x * (of.energy - cell.of.energy) + (gas.heat - cell.gas.heat) + kinetic(gas) - kinetic(cell.gas);
      energy = std::max(energy, std::abs(change) / before);
      const double to_momentum = x / (cell.c * cell.c);
      const vec3d pushed = (gas.momentum - cell.gas.momentum) + to_momentum * (of.flux - cell.of.flux);
      const auto largest = [](const vec3d& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); };
      const double size = largest(cell.gas.momentum) + to_momentum * largest(cell.of.flux);
      momentum = std::max(momentum, radiation::length_of(pushed) / size);
      ASSERT_GT(gas.heat, 0) << "decade " << decade;
      ASSERT_GT(of.energy, 0) << "decade " << decade;
      fastest = std::max(fastest, radiation::length_of(of.flux) / (cell.c * of.energy));
      const double t = gas.heat / cell.capacity, black = t * t * t * t;
      if (decade > 6) equilibrium = std::max(equilibrium, std::abs(of.energy - black) / (of.energy + cell.of.energy));
    }
  }
  // A few roundings of the sums.
  EXPECT_LT(energy, 1e-15);
  EXPECT_LT(momentum, 1e-15);
  EXPECT_LT(fastest, 1 + 1e-14);
  EXPECT_LE(iterations, 8);
  // E is a T⁴ in the gas's frame: that of the grid has 4/3 (v/c)² more, and 2 v·F/(c² E), with F up to cE and v of a
  // few thousandths of c; the model has 3e-3.
  EXPECT_LT(equilibrium, 1e-2);
  std::printf("books: energy %.1e, momentum %.1e; |E - aT^4|/(E + E before) %.1e; Newton %d; f %.15f\n", energy,
              momentum, equilibrium, iterations, fastest);
}

TEST(gas_exchange, leaves_light_alone_in_transparent_gas) {
  light<double> of{2.0, {0.5, -1.0, 0.2}};
  gas_of_cell<double> gas{10.0, {0.1, 0.2, 0.3}, 1.0};
  radiation::gas_exchange<double, heat>{{1.0, 1.0}, 0.1, {0.0, 0.0, 1.0}, heat{1.0}}(of, gas);
  EXPECT_EQ(of.flux, (vec3d{0.5, -1.0, 0.2}));
  EXPECT_EQ(gas.momentum, (vec3d{0.1, 0.2, 0.3}));
  EXPECT_NEAR(of.energy, 2.0, 4e-16);
  EXPECT_NEAR(gas.heat, 1.0, 4e-16);
}

TEST(gas_exchange, leaves_no_flux_where_there_is_next_to_none) {
  // Its square is no number any more, and its direction must not become a long vector.
  for (const double f : {1e-100, 1e-155, 1e-165, 1e-300}) {
    light<double> of{2.0, {f, -f, 0}};
    gas_of_cell<double> gas{1e6, {}, 1.0};
    radiation::gas_exchange<double, heat>{{100.0, 1.0}, 1.0, {0.0, 1e6, 100.0}, heat{1.0}}(of, gas);
    EXPECT_LE(radiation::length_of(of.flux), 2 * f);
  }
}

TEST(gas_exchange, of_thick_gas_that_moves_carries_light_along) {
  // F = 4/3 v E, and E in equilibrium at rest with the gas, to second order of v/c = 1e-3.
  const double rho = 1e6, v = 1e-3;
  light<double> of{1.0, {}};
  gas_of_cell<double> gas{rho, {rho * v, 0, 0}, 1.0};
  radiation::gas_exchange<double, heat>{{1.0, 1.0}, 1.0, {1e9, 1e9, 1.0}, heat{1.0}}(of, gas);
  EXPECT_NEAR(of.flux.x / (4.0 / 3 * v * of.energy), 1, 1e-5);  // the gas's push at v of second order, 1e-6
  const double t = gas.heat;
  EXPECT_NEAR(of.energy / (t * t * t * t), 1, 2e-6);
}

TEST(gas_exchange, of_heat_that_goes_with_the_fourth_power_is_linear) {
  // de/dt = kappa (E - e), dE/dt = kappa (e - E) with e = T⁴: backward Euler has E - e fall by 1/(1 + 2 kappa dt).
  using linear = radiation::heat_of_power<double, 4>;
  light<double> of{1.0, {}};
  gas_of_cell<double> gas{1e20, {}, 0.25};
  radiation::gas_exchange<double, linear>{{1.0, 1.0}, 0.5, {3.0, 3.0, 1.0}, linear{1.0}}(of, gas);
  EXPECT_NEAR(of.energy - gas.heat, 0.75 / 4, 1e-15);
  EXPECT_NEAR(of.energy + gas.heat, 1.25, 1e-15);
}

TEST(gas_exchange, relaxes_to_equilibrium_at_the_rate_of_emission) {
  // de/dt = kappa (E - (e/A)⁴) with e + E kept: the equation by small steps of Runge and Kutta.
  const double kappa = 1, capacity = 2, sum = 3, first = 0.2, end = 1;
  const auto rate = [&](double e) { return kappa * (sum - e - std::pow(e / capacity, 4)); };
  double exact = first;
  const int fine = 2000;
  for (int n = 0; n < fine; ++n) {
    const double h = end / fine, k1 = rate(exact), k2 = rate(exact + 0.5 * h * k1), k3 = rate(exact + 0.5 * h * k2),
                 k4 = rate(exact + h * k3);
    exact += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  double error[2];
  for (int half = 0; half < 2; ++half) {
    const int steps = 100 << half;
    light<double> of{sum - first, {}};
    gas_of_cell<double> gas{1e20, {}, first};
    const radiation::gas_exchange<double, heat> step{{1.0, 1.0}, end / steps, {kappa, kappa, 1.0}, heat{capacity}};
    for (int n = 0; n < steps; ++n) step(of, gas);
    error[half] = std::abs(gas.heat - exact) / exact;
  }
  // Backward Euler is of first order; a hundred steps of 0.01 over a rate of about 1.
  EXPECT_LT(error[0], 5e-3);
  EXPECT_NEAR(error[0] / error[1], 2, 0.1);
  std::printf("equilibration: %.2e with 100 steps, %.2e with 200\n", error[0], error[1]);
}

TEST(gas_exchange, of_steps_far_below_the_rate_follows_the_exact_solution) {
  // Gonzalez, Audit & Huynh (2007, A&A 464, 429): cold gas of 1e2 erg/cm³ in light of 1e12, here with e = a T⁴, rho
  // kappa = 1e-7 per cm and steps of 1e-8 s, c rho kappa dt = 3e-5, to 1e-2 s, in which light and gas share their
  // energy. Quokka's bound for the mean of T is 2e-5.
  using linear = radiation::heat_of_power<double, 4>;
  const double c = 2.99792458e10, opaque = 1e-7, dt = 1e-8, cold = 1e2, bright = 1e12;
  light<double> of{bright, {}};
  gas_of_cell<double> gas{1e-7, {}, cold};
  const radiation::gas_exchange<double, linear> step{{c, 1.0}, dt, {opaque, opaque, c}, linear{1.0}};
  double error = 0, sum = 0, largest = 0;
  for (int n = 1; n <= 1000000; ++n) {
    step(of, gas);
    const double shared = 0.5 * (bright + cold);
    const double t = std::pow(shared + (cold - shared) * std::exp(-2 * opaque * c * dt * n), 0.25);
    const double off = std::abs(std::pow(gas.heat, 0.25) - t);
    error += off;
    sum += t;
    largest = std::max(largest, off / t);
  }
  std::printf("coupling by steps of 3e-5 of the rate: mean error of T %.1e, largest %.1e\n", error / sum, largest);
  EXPECT_LT(error / sum, 3e-7);
  EXPECT_LT(largest, 1e-5);
}

TEST(gas_exchange, of_packs_has_the_bits_of_doubles) {
  using T = exec::pack;
  constexpr int lanes = exec::lanes<T>;
  std::mt19937 random(11);
  double e[lanes], f[3][lanes], rho[lanes], m[3][lanes], h[lanes], planck[lanes], mean[lanes], speed[lanes],
      capacity[lanes];
  std::vector<random_cell> cells;
  for (int i = 0; i < lanes; ++i) {
    const random_cell c(random, std::pow(10.0, i % 5 - 2));
    e[i] = c.of.energy;
    rho[i] = c.gas.density;
    for (int d = 0; d < 3; ++d) f[d][i] = c.of.flux[d], m[d][i] = c.gas.momentum[d];
    h[i] = c.gas.heat;
    planck[i] = c.by.planck;
    mean[i] = c.by.flux_mean;
    speed[i] = c.by.light_speed;
    capacity[i] = c.capacity;
    cells.push_back(c);
  }
  const auto read = [](const double* p) { return exec::load<T>(p); };
  light<T> of{read(e), {read(f[0]), read(f[1]), read(f[2])}};
  gas_of_cell<T> gas{read(rho), {read(m[0]), read(m[1]), read(m[2])}, read(h)};
  using heats = radiation::heat_of_power<T>;
  radiation::gas_exchange<T, heats>{{300.0, 1.0}, 1.0, {read(planck), read(mean), read(speed)}, heats{read(capacity)}}(
      of, gas);
  for (std::size_t i = 0; i < lanes; ++i) {
    light<double> one = cells[i].of;
    gas_of_cell<double> alone = cells[i].gas;
    cells[i].step()(one, alone);
    EXPECT_EQ(of.energy[i], one.energy);
    EXPECT_EQ(gas.heat[i], alone.heat);
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(of.flux[d][i], one.flux[d]);
      EXPECT_EQ(gas.momentum[d][i], alone.momentum[d]);
    }
  }
}

}  // namespace
