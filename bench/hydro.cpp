// Speed of the hydrodynamic update of a block, in cells per second and stage on one core.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "config/parameters.hpp"
#include "hydro/block_update.hpp"
#include "mesh/fields.hpp"

namespace {

using namespace rednova;

/// A smooth flow with every field at work, and a strong jump for the limiters.
exec::array<double> sample(const mesh::fields& f, const eos::gas& eos, double h) {
  exec::array<double> u(static_cast<std::size_t>(f.size()) * mesh::ghosted_cells);
  constexpr int g = mesh::ghosts, n = mesh::N;
  for (int k = -g; k < n + g; ++k)
    for (int j = -g; j < n + g; ++j)
      for (int i = -g; i < n + g; ++i) {
        const double rho = (1 + 0.1 * std::sin(0.3 * i + 0.2 * j)) * (i > j ? 1.0 : 0.125);
        const core::vec3d v{0.3 * std::cos(0.2 * j), 0.2 * std::sin(0.3 * i), 0.1 * std::cos(0.1 * i + 0.3 * k)};
        const double p = rho * (1 + 0.1 * std::cos(0.2 * k));
        const double e = eos.energy_of_pressure(rho, p, 0);
        const auto at = [&](int field) -> double& {
          return u[static_cast<std::size_t>(field * mesh::ghosted_cells + mesh::ghosted(i, j, k))];
        };
        for (int s = 0; s < f.species(); ++s) at(f.species(s)) = rho / f.species();
        for (int d = 0; d < 3; ++d) at(f.momentum(d)) = rho * v[d];
        at(f.energy()) = e + 0.5 * rho * dot(v, v);
        at(f.entropy()) = eos.entropy_tracer(rho, e, 0);
        for (int d = 0; d < 3; ++d) at(f.spin(d)) = 0.01 * rho * h * h;
        if (f.has_gas())
          eos.at(rho, 0.0, [&](const auto& here) {
            eos::cell_ratios<double> ratios;
            at(f.pressure()) = here.pressure(e, ratios);
            at(f.energy_over_pressure()) = ratios.energy_over_pressure;
            at(f.gamma1()) = ratios.gamma1;
          });
      }
  return u;
}

void update(benchmark::State& state, int species, config::hydro par, const eos::gas& eos = eos::ideal_gas{5.0 / 3}) {
  par.species.clear();
  for (int s = 0; s < species; ++s) par.species.push_back(std::to_string(s));
  const mesh::fields fields(par.species, false, eos.stored());
  const double h = 1.0 / 64;
  const auto u = sample(fields, eos, h);
  exec::array<double> rate(static_cast<std::size_t>(fields.evolved()) * mesh::cells);
  const hydro::block_update block(par, fields, eos);
  hydro::block_input in;
  in.u = u.data();
  in.h = h;
  in.rotation = 0.5;
  hydro::block_output out;
  out.rate = rate.data();
  hydro::block_scratch scratch;
  for (auto _ : state) {
    block(in, out, {0.1 * h, 6}, scratch);
    benchmark::DoNotOptimize(rate.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * mesh::cells);
}

config::hydro plain() {
  config::hydro par;
  par.spin = false;
  return par;
}

/// Electrons at a density of 1 have the Fermi momentum m_e c, and half of the pressure is theirs.
eos::gas degenerate() { return eos::white_dwarf{5.0 / 3, 0.4, 1.0, 1.0}; }

config::hydro with(config::reconstruction reconstruct, config::riemann_solver riemann) {
  config::hydro par;
  par.reconstruct = reconstruct;
  par.riemann = riemann;
  return par;
}

void signal(benchmark::State& state, const eos::gas& eos) {
  const config::hydro par;
  const mesh::fields fields(5, false, eos.stored());
  const auto u = sample(fields, eos, 1.0);
  const hydro::block_update block(par, fields, eos);
  for (auto _ : state) benchmark::DoNotOptimize(block.signal_speed(u.data(), {0, 0, 0}, 1.0, 0.5));
  state.SetItemsProcessed(state.iterations() * mesh::cells);
}

using config::reconstruction;
using config::riemann_solver;
BENCHMARK_CAPTURE(update, plain, 1, plain());
BENCHMARK_CAPTURE(update, five_species_spin, 5, config::hydro{});
BENCHMARK_CAPTURE(update, five_species_spin_kt, 5, with(reconstruction::ppm, riemann_solver::kt));
BENCHMARK_CAPTURE(update, five_species_spin_plm, 5, with(reconstruction::plm, riemann_solver::hllc));
BENCHMARK_CAPTURE(update, five_species_spin_constant, 5, with(reconstruction::constant, riemann_solver::hllc));
BENCHMARK_CAPTURE(update, five_species_spin_stored_gas, 5, config::hydro{}, degenerate());
BENCHMARK_CAPTURE(signal, ideal, eos::gas(eos::ideal_gas{5.0 / 3}));
BENCHMARK_CAPTURE(signal, stored_gas, degenerate());

}  // namespace
