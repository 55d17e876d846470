// Equations of state: look-ups a second on one core, and what a table of the gas of stars costs to make.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "eos/stellar_table.hpp"
#include "eos/white_dwarf.hpp"

namespace {

using namespace rednova;
using exec::pack;

constexpr std::size_t cells = 4096;

/// States in cgs: those of a star from its centre to its atmosphere, as neighbours in memory, or in any order.
struct states {
  std::vector<double> rho = std::vector<double>(cells), e = rho, x = rho;

  states(const eos::stellar_table& table, bool in_order) {
    const eos::free_energy gas(table.parameters().at(0.65), eos::radiation::included);
    std::mt19937 random(1);
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t at = in_order ? i : random() % cells;
      rho[i] = std::pow(10.0, 1.9 - 10.0 * double(at) / cells);
      e[i] = rho[i] * gas.at(rho[i], 6e3 + 1.5e7 * std::pow(rho[i] / 80.0, 0.4)).energy;
      x[i] = 0.65;
    }
  }
};

eos::stellar_parameters parameters(int tables) {
  eos::stellar_parameters p;
  p.hydrogen_tables = tables;
  p.hydrogen_min = tables == 1 ? 0.65 : 0.525;
  return p;
}
exec::context& one_thread() {
  static exec::context one(1);
  return one;
}
/// Tables for look-ups; with few nodes beyond those of the states.
const eos::stellar_table& table(int fractions) {
  const auto make = [](int n) {
    auto p = parameters(n);
    p.density_min = -9;
    p.density_max = 2;
    p.energy_max = 17;
    return eos::stellar_table(p, one_thread());
  };
  static const eos::stellar_table single = make(1), mixed = make(3);
  return fractions == 1 ? single : mixed;
}

/// Calls `use(gas, rho, e, x)` for all states in packs. Arguments: fractions of hydrogen, whether in order.
template <class Use>
void look_up(benchmark::State& state, const Use& use) {
  const eos::stellar_table& of = table(static_cast<int>(state.range(0)));
  const eos::stellar gas = of.view(core::units{});
  const states s(of, state.range(1) != 0);
  for (auto _ : state) {
    for (std::size_t i = 0; i < cells; i += pack::size()) {
      benchmark::DoNotOptimize(
          use(gas, exec::load<pack>(&s.rho[i]), exec::load<pack>(&s.e[i]), exec::load<pack>(&s.x[i])));
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * cells));
}

void pressure(benchmark::State& state) {
  look_up(state, [](const eos::stellar& gas, const pack& rho, const pack& e, const pack& x) {
    const auto r = gas.pressure_gamma1(rho, e, x);
    return pack(r.pressure + r.gamma1);
  });
}
void temperature(benchmark::State& state) {
  look_up(state, [](const eos::stellar& gas, const pack& rho, const pack& e, const pack& x) {
    return gas.temperature(rho, e, x);
  });
}
/// With the look-up of the pressure.
void energy_from_pressure(benchmark::State& state) {
  look_up(state, [](const eos::stellar& gas, const pack& rho, const pack& e, const pack& x) {
    return gas.energy_from_pressure(rho, gas.pressure_gamma1(rho, e, x).pressure, x);
  });
}
/// With the look-up of the entropy.
void energy_from_entropy(benchmark::State& state) {
  look_up(state, [](const eos::stellar& gas, const pack& rho, const pack& e, const pack& x) {
    return gas.energy_from_entropy(rho, gas.entropy(rho, e, x), x);
  });
}
void white_dwarf(benchmark::State& state) {
  const auto gas = eos::white_dwarf::in(core::units{}, 2.0, 4.0 / 3.0);
  std::vector<double> rho(cells), e(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    rho[i] = std::pow(10.0, 8.0 - 6.0 * double(i) / cells);
    e[i] = 1.1 * gas.cold(rho[i]).energy;
  }
  for (auto _ : state) {
    for (std::size_t i = 0; i < cells; i += pack::size()) {
      eos::cell_ratios<pack> ratios;
      const pack p = gas.at(exec::load<pack>(&rho[i])).pressure(exec::load<pack>(&e[i]), ratios);
      benchmark::DoNotOptimize(pack(p + ratios.gamma1 + ratios.energy_over_pressure));
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * cells));
}

/// A whole table of one fraction of hydrogen on one core: time and memory.
void whole_table(benchmark::State& state) {
  const auto p = parameters(1);
  for (auto _ : state) {
    const eos::stellar_table made(p, one_thread());
    state.counters["MB"] = 8e-6 * double(made.coefficients().size());
  }
}

const auto arguments = [](auto* of) { of->ArgNames({"fractions", "in_order"})->ArgsProduct({{1, 3}, {0, 1}}); };
BENCHMARK(white_dwarf);
BENCHMARK(pressure)->Apply(arguments);
BENCHMARK(temperature)->Apply(arguments);
BENCHMARK(energy_from_pressure)->Apply(arguments);
BENCHMARK(energy_from_entropy)->Apply(arguments);
BENCHMARK(whole_table)->Iterations(1)->Repetitions(1)->Unit(benchmark::kSecond);

}  // namespace
