// Speed of the gravity solver: one solve on a star refined like the rotating star of bench/rotating_star.toml, and
// its kernels alone against the peak of multiply-adds measured in the same run.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>

#include "../tests/gravity/system.hpp"
#include "gravity/interactions.hpp"
#include "peak.hpp"

namespace {

using namespace rednova;

double star(core::vec3d x) {
  const double r = std::sqrt(dot(x, x));
  return r < 1 ? std::pow(1 - r * r, 1.5) + 1e-10 : 1e-10;
}

/// Levels 2 to 4 of a box of width 4: blocks of level l where the density exceeds 0.2 / 8^(4-l).
mesh::tree star_tree() {
  mesh::tree tree = mesh::tree::uniform({{-2, -2, -2}, 4.0, {1, 1, 1}, {}}, 2);
  for (int level = 3; level <= 4; ++level) {
    std::vector<int> flags;
    for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
      double most = 0;
      for (int c = 0; c < mesh::cells; ++c) {
        most = std::max(most, star(tree.centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / (mesh::N * mesh::N))));
      }
      flags.push_back(most > 0.2 * std::pow(8.0, level - 5) ? 1 : 0);
    }
    tree = mesh::tree(tree.box(), tree.adapted(flags));
  }
  return tree;
}

void solve(benchmark::State& state) {
  static const gravity::test::system sample(star_tree(), star);
  config::gravity par;
  par.order = static_cast<int>(state.range(0));
  par.near_radius_squared = static_cast<int>(state.range(1));
  par.cell_mass = config::cell_mass::point;  // as the sum over all cells has them
  gravity::solver solver(par, sample.tree);
  mesh::block_data result(sample.tree.leaves(), gravity::result_fields);
  exec::context context(1);
  solver.solve(context, sample.rho, result);
  context.times().clear();
  for (auto _ : state) solver.solve(context, sample.rho, result);
  state.SetItemsProcessed(state.iterations() * sample.cells());
  state.counters["cells"] = sample.cells();
  state.counters["bytes_per_cell"] = static_cast<double>(solver.bytes()) / sample.cells();
  for (const auto& [name, entry] : context.times().entries()) {
    const std::string what = name.starts_with("gravity ") ? name.substr(8) : name;
    state.counters[what + "_ms"] = 1e3 * entry.seconds / static_cast<double>(state.iterations());
  }
  // Mass-weighted error of the acceleration against the sum over all cells, on some 1500 of them; measured once,
  // since the benchmark calls this function several times.
  static std::map<std::array<int, 2>, gravity::test::errors> known;
  const auto [entry, first_time] = known.try_emplace({par.order, par.near_radius_squared});
  if (first_time) entry->second = gravity::test::error_of(sample, result, 331);
  state.counters["rms_percent"] = 100 * entry->second.g;
  state.counters["bias_percent"] = 100 * entry->second.bias;
}

/// A block whose 26 neighbours all have sources.
struct crowd {
  explicit crowd(int numbers, int reach) : values(static_cast<std::size_t>(gravity::block_size(numbers))) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 + std::sin(0.1 * static_cast<double>(i));
    std::array<gravity::source_block, mesh::sides> sources;
    sources.fill(gravity::real_block(values.data(), numbers));
    around.gather(sources, numbers, reach);
  }
  exec::array<double> values;
  gravity::neighbourhood around;
};

/// Multiply-adds of all offsets to a block's cells, counted as two operations each.
double operations(const gravity::stencil& by, int terms) { return 2.0 * by.operators_per_cell() * terms * mesh::cells; }

void m2l(benchmark::State& state) {
  using namespace gravity;
  const int p = static_cast<int>(state.range(0)), numbers = basis_size(p);
  const stencil far(p, static_cast<int>(state.range(1)), pairs::far, place::inner, numbers);
  const operators by(p);
  const auto kernels = make_far_kernels(by);
  crowd with(numbers, far.reach());
  exec::array<double> out(with.values.size()), torque(static_cast<std::size_t>(block_size(3)));
  for (auto _ : state) kernels->m2l(with.around, far, with.values.data(), out.data(), torque.data());
  int terms = 0;
  for (int n = 0; n <= p; ++n) terms += (2 * n + 1) * basis_size(p - n);
  state.SetItemsProcessed(state.iterations() * mesh::cells);
  state.counters["flops"] =
      benchmark::Counter(operations(far, terms) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void p2p(benchmark::State& state) {
  using namespace gravity;
  const stencil near(1, static_cast<int>(state.range(0)), pairs::near, place::inner, 1);
  crowd with(1, near.reach());
  exec::array<double> fields(static_cast<std::size_t>(block_size(4)));
  for (auto _ : state) gravity::p2p(with.around, near, fields.data());
  state.SetItemsProcessed(state.iterations() * mesh::cells);
  state.counters["flops"] =
      benchmark::Counter(operations(near, 4) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

BENCHMARK(bench::peak)->Name("peak");
BENCHMARK(m2l)
    ->ArgNames({"p", "R2"})
    ->Args({3, 4})
    ->Args({3, 6})
    ->Args({3, 10})
    ->Args({4, 4})
    ->Args({4, 6})
    ->Args({4, 10})
    ->Args({5, 10});
BENCHMARK(p2p)->ArgName("R2")->Arg(4)->Arg(6)->Arg(10);
BENCHMARK(solve)
    ->ArgNames({"p", "R2"})
    ->Args({3, 3})
    ->Args({3, 4})
    ->Args({3, 5})
    ->Args({3, 6})
    ->Args({3, 10})
    ->Args({4, 4})
    ->Args({4, 6})
    ->Args({4, 10})
    ->Args({5, 4})
    ->Args({5, 6})
    ->Args({5, 10})
    ->Unit(benchmark::kMillisecond);

}  // namespace
