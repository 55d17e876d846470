// The formulas of hydro/ on the device against the host: one source, two compilers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "device_test.hpp"
#include "eos/ideal_gas.hpp"
#include "exec/cuda/for_each.hpp"
#include "hydro/floors.hpp"
#include "hydro/limiter.hpp"
#include "hydro/riemann_hllc.hpp"
#include "hydro/riemann_kt.hpp"

namespace {

using namespace rednova;
using testing_on::device;
using state = hydro::face_state<double>;
using flux = hydro::face_flux<double>;

/// Numbers of a state, which host and device lay out alike.
struct numbers {
  double rho, vn, vt1, vt2, p;
  REDNOVA_FN state gas() const { return {rho, vn, vt1, vt2, p}; }
};

template <class Solver>
struct solve_faces {
  eos::ideal_gas eos;
  const numbers *left, *right;
  flux* out;
  REDNOVA_FN void operator()(int i) const {
    out[i] = Solver::flux(left[i].gas(), right[i].gas(), 0.1 * (i % 7 - 3), eos);
  }
};

struct limit_slopes {
  const double *down, *up;
  double* out;
  REDNOVA_FN void operator()(int i) const { out[i] = hydro::monotonised_slope(down[i], up[i]); }
};

// States over six decades of density and pressure, subsonic and supersonic, moving either way.
std::vector<numbers> random_states(int count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> exponent(-4, 2), velocity(-3, 3);
  std::vector<numbers> states(static_cast<std::size_t>(count));
  for (numbers& s : states) {
    s = {std::pow(10, exponent(generator)), velocity(generator), velocity(generator), velocity(generator),
         std::pow(10, exponent(generator))};
  }
  return states;
}

// The sizes of the terms that a flux is made of: the scale of its rounding.
double scale(const state& a, const eos::ideal_gas& eos) {
  const double c = std::sqrt(eos.sound_speed_squared(a.rho, a.p, {}));
  return (1 + std::abs(a.vn) + c) * (hydro::total_energy(a, eos) + a.p + a.rho * (1 + std::abs(a.vn) + c));
}

template <class Solver>
void compare_fluxes() {
  const exec::cuda::context context;
  constexpr int count = 5000;
  const eos::ideal_gas eos{1.4};
  const std::vector<numbers> left = random_states(count, 1), right = random_states(count, 2);
  exec::cuda::array<numbers> l(count), r(count);
  exec::cuda::array<flux> out(count);
  l.copy_from(context, left);
  r.copy_from(context, right);
  exec::cuda::for_each(context, count, solve_faces<Solver>{eos, l.data(), r.data(), out.data()});
  std::vector<flux> expected(count);
  const solve_faces<Solver> on_host{eos, left.data(), right.data(), expected.data()};
  for (int i = 0; i < count; ++i) on_host(i);
  const std::vector<flux> result = out.to_host(context);
  for (std::size_t i = 0; i < result.size(); ++i) {
    // The compilers fuse different products with different sums. Some thirty roundings of 1e-16, which the quotients
    // by differences of wave speeds may raise tenfold or so.
    const double bound = 1e-13 * (scale(left[i].gas(), eos) + scale(right[i].gas(), eos));
    EXPECT_NEAR(result[i].mass, expected[i].mass, bound) << i;
    EXPECT_NEAR(result[i].sn, expected[i].sn, bound) << i;
    EXPECT_NEAR(result[i].st1, expected[i].st1, bound) << i;
    EXPECT_NEAR(result[i].st2, expected[i].st2, bound) << i;
    EXPECT_NEAR(result[i].energy, expected[i].energy, bound) << i;
  }
}

TEST_F(device, hllc_as_on_the_host) { compare_fluxes<hydro::riemann_hllc>(); }
TEST_F(device, kurganov_tadmor_as_on_the_host) { compare_fluxes<hydro::riemann_kt>(); }

constexpr int cells = 4000, species = 3;

// Raises cells of density, energy and tracer to their floors, and lowers them to the ceiling of heat.
struct floor_cells {
  hydro::floor_limits limits;
  eos::ideal_gas eos;
  double* u;  // partial densities, energy and tracer: [field][cell]

  REDNOVA_FN void operator()(int i) const {
    double* at = u + i;
    double added[species];
    hydro::floor_species(at, species, cells, limits.density, added);
    double rho = 0;
    for (int k = 0; k < species; ++k) rho += at[k * cells];
    double *energy = at + species * cells, *tracer = energy + cells;
    const double kinetic = 0.5 * rho;
    const auto floored = hydro::limit_energy(rho, *energy, kinetic, *tracer, limits, eos.at(rho));
    *energy = floored.energy;
    *tracer = hydro::synchronised_tracer(eos.at(rho), floored.energy, kinetic, floored.tracer, 2 * *energy, 0.1);
  }
};

TEST_F(device, floors_and_dual_energy_as_on_the_host) {
  const exec::cuda::context context;
  config::hydro par;
  par.density_floor = 0.1, par.energy_floor = 0.2, par.specific_energy_ceiling = 3, par.thin_gas_density = 2;
  const eos::ideal_gas eos{par.gamma};
  std::vector<double> u((species + 2) * cells);
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> value(-0.5, 4);
  std::ranges::generate(u, [&] { return value(generator); });
  exec::cuda::array<double> there(u.size());
  there.copy_from(context, u);
  const hydro::floor_limits limits(par, eos);
  exec::cuda::for_each(context, cells, floor_cells{limits, eos, there.data()});
  const floor_cells on_host{limits, eos, u.data()};
  for (int i = 0; i < cells; ++i) on_host(i);
  const std::vector<double> result = there.to_host(context);
  // A dozen roundings of 1e-16 of numbers up to 40, and powers to an ulp or two.
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(result[i], u[i], 1e-13) << i;
}

// A limiter is a choice between values with one product and one sum each: the same bits.
TEST_F(device, limited_slopes_to_the_bits_of_the_host) {
  const exec::cuda::context context;
  constexpr int count = 1000;
  std::vector<double> down(count), up(count), expected(count);
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> slope(-1, 1);
  std::ranges::generate(down, [&] { return slope(generator); });
  std::ranges::generate(up, [&] { return slope(generator); });
  exec::cuda::array<double> d(count), u(count), out(count);
  d.copy_from(context, down);
  u.copy_from(context, up);
  exec::cuda::for_each(context, count, limit_slopes{d.data(), u.data(), out.data()});
  const limit_slopes on_host{down.data(), up.data(), expected.data()};
  for (int i = 0; i < count; ++i) on_host(i);
  EXPECT_EQ(out.to_host(context), expected);
}

}  // namespace
