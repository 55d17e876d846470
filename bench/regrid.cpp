// What a change of the mesh costs: a star's 10 thousand leaves, of which two in a hundred are divided. All but the
// transfer is the host's part where a device carries out the steps.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "gravity/basis.hpp"
#include "gravity/device_plan.hpp"
#include "gravity/interaction_lists.hpp"
#include "gravity/local_partition.hpp"
#include "regrid/transfer.hpp"
#include "regrid/transfer_cells.hpp"
#include "step/simulation.hpp"
#include "step/stage_tables.hpp"
#include "step/workspace.hpp"

namespace {

using namespace rednova;

config::parameters five_species() {
  config::parameters p;
  p.mesh.lower = {-2, -2, -2};
  p.mesh.base_width = 4;
  p.mesh.min_level = 1;
  p.hydro.species = {"a", "b", "c", "d", "e"};
  p.hydro.spin = true;
  p.gravity.enabled = true;
  p.gravity.order = 4;
  return p;
}

/// Level 4 everywhere, and a ball of a thousand blocks on each level above.
mesh::tree before(const mesh::domain& box) {
  mesh::tree t = mesh::tree::uniform(box, 4);
  for (int level = 4; level < 10; ++level) {
    std::vector<int> flags;
    for (int n = 0; n < t.leaves(); ++n) {
      const core::vec3d x = t.centre(n, 4, 4, 4);
      flags.push_back(std::sqrt(dot(x, x)) < std::ldexp(1.35, 3 - level) ? 1 : 0);
    }
    t = mesh::tree(box, t.adapted(flags));
  }
  return t;
}

mesh::tree after(const mesh::tree& t) {
  std::vector<int> flags;
  for (int n = 0; n < t.leaves(); ++n) flags.push_back(n % 50 == 0 ? 1 : 0);
  return {t.box(), t.adapted(flags)};
}

struct change {
  exec::context context{1};
  step::simulation s{five_species(), context};
  mesh::tree old = before(s.tree().box()), next = after(old);
  mesh::local_partition own{next};
};
change& of_star() {
  static change c;
  return c;
}

void tree(benchmark::State& state) {
  change& c = of_star();
  for (auto _ : state) benchmark::DoNotOptimize(after(c.old));
  state.counters["leaves"] = c.next.leaves();
}

void plans(benchmark::State& state) {
  change& c = of_star();
  for (auto _ : state) {
    benchmark::DoNotOptimize(regrid::origins(c.old, c.next, c.own));
    c.s.change_tree(c.next, mesh::partition());
    const step::workspace work(c.s, step::workspace::holds::plans);
    const step::stage_tables tables(c.s, work, work.batches);
    benchmark::DoNotOptimize(tables.signals(nullptr));
  }
}

void plans_of_gravity(benchmark::State& state) {
  change& c = of_star();
  for (auto _ : state) {
    const gravity::interaction_lists lists(c.next);
    const int numbers = gravity::basis_size(4);
    const gravity::local_partition alone(nullptr, c.next, lists, c.own, numbers);
    const gravity::device_plan blocks(c.next, lists, alone);
    const gravity::device_sources at{nullptr, nullptr, nullptr, numbers};
    benchmark::DoNotOptimize(blocks.around_refined(at));
    benchmark::DoNotOptimize(blocks.points_around_leaves(at));
    benchmark::DoNotOptimize(blocks.points_around_ghosts(at));
    benchmark::DoNotOptimize(blocks.multipoles_around_leaves(at));
  }
}

void transfer(benchmark::State& state) {
  change& c = of_star();
  const mesh::block_data u(c.old.size(), c.s.fields().size());
  for (auto _ : state)
    benchmark::DoNotOptimize(regrid::transfer(c.context, c.old, c.next, c.own, c.s.fields(), u).data());
}

}  // namespace

BENCHMARK(tree)->Unit(benchmark::kMillisecond);
BENCHMARK(plans)->Unit(benchmark::kMillisecond);
BENCHMARK(plans_of_gravity)->Unit(benchmark::kMillisecond);
BENCHMARK(transfer)->Unit(benchmark::kMillisecond);
