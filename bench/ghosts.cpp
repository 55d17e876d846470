// What it costs to bring the neighbours' cells to a block: gathered into a thread's scratch when the block is updated,
// or kept in ghost layers around every block that are written in a pass of their own and read again.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "exchange/device_ghosts.hpp"
#include "exchange/ghosts.hpp"
#include "exchange/sides.hpp"
#include "exec/simd.hpp"

namespace {

using namespace rednova;

/// A uniform periodic mesh of 512 blocks with five species: 27 MB, more than a core's caches.
struct sample {
  sample() : u(tree.size(), fields.size()) {
    for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
      for (int i = 0; i < fields.size() * mesh::cells; ++i) u.at(leaf)[i] = 2 + std::sin(0.01 * i + leaf);
    }
  }
  mesh::tree tree = mesh::tree::uniform({{0, 0, 0}, 1.0, {1, 1, 1}, {true, true, true}}, 3);
  mesh::fields fields{5};
  mesh::block_data u;
  double items() const { return static_cast<double>(tree.leaves()) * mesh::cells; }
  std::size_t ghosted() const { return static_cast<std::size_t>(fields.size()) * mesh::ghosted_cells; }
};

/// Reads all that an update reads of a block with its ghost layers.
double read_all(const double* block, std::size_t count) {
  using exec::pack;
  pack sum(0.0);
  for (std::size_t i = 0; i + exec::lanes<pack> <= count; i += exec::lanes<pack>) sum += exec::load<pack>(block + i);
  return exec::hmax(sum);
}

void gathered(benchmark::State& state) {
  static const sample s;
  const exchange::ghosts ghosts(s.tree, s.fields, {});
  exec::array<double> scratch(s.ghosted());
  for (auto _ : state) {
    for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) {
      ghosts.gather(s.u, leaf, 0, scratch.data());
      benchmark::DoNotOptimize(read_all(scratch.data(), s.ghosted()));
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * s.items()));
  state.counters["bytes_per_cell"] = sizeof(double) * s.fields.size();
}

/// The loops of a core for what a device launches.
struct loops {
  template <class Kernel>
  void for_each(int count, const Kernel& kernel) const {
    for (int i = 0; i < count; ++i) kernel(i);
  }
};

/// The same cells by the functors of a device, cell by cell.
void gathered_cell_by_cell(benchmark::State& state) {
  static const sample s;
  const exchange::device_ghosts<loops> ghosts(loops{}, mesh::view(s.tree), s.fields, {});
  exec::array<double> scratch(s.ghosted());
  for (auto _ : state) {
    for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) {
      ghosts.gather(mesh::view(s.u), &leaf, 1, 0, scratch.data());
      benchmark::DoNotOptimize(read_all(scratch.data(), s.ghosted()));
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * s.items()));
}

/// Copies what a side needs from the interior of a neighbour with ghost layers of its own.
void fill_side(const mesh::fields& fields, const double* from, const std::array<int, 3>& d, double* to) {
  const exchange::cell_box b = exchange::cells_of(d);
  for (int f = 0; f < fields.size(); ++f) {
    for (int k = b.first[2]; k < b.last[2]; ++k) {
      for (int j = b.first[1]; j < b.last[1]; ++j) {
        const double* row = from + f * mesh::ghosted_cells +
                            mesh::ghosted(b.first[0] - d[0] * mesh::N, j - d[1] * mesh::N, k - d[2] * mesh::N);
        std::copy(row, row + (b.last[0] - b.first[0]), to + f * mesh::ghosted_cells + mesh::ghosted(b.first[0], j, k));
      }
    }
  }
}

void stored(benchmark::State& state) {
  static const sample s;
  const exchange::ghosts ghosts(s.tree, s.fields, {});
  const auto leaves = static_cast<std::size_t>(s.tree.leaves());
  exec::array<double> blocks(leaves * s.ghosted());
  const auto block = [&](int leaf) { return blocks.data() + static_cast<std::size_t>(leaf) * s.ghosted(); };
  for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) ghosts.gather(s.u, leaf, 0, block(leaf));
  for (auto _ : state) {
    for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) {
      for (int side = 0; side < mesh::sides; ++side) {
        const int m = s.tree[leaf].neighbour[static_cast<std::size_t>(side)];
        if (m != leaf) fill_side(s.fields, block(m), exchange::offset(side), block(leaf));
      }
    }
    for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) {
      benchmark::DoNotOptimize(read_all(block(leaf), s.ghosted()));
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * s.items()));
  state.counters["bytes_per_cell"] =
      sizeof(double) * static_cast<double>(s.fields.size()) * mesh::ghosted_cells / mesh::cells;
}

BENCHMARK(gathered)->Unit(benchmark::kMillisecond);
BENCHMARK(gathered_cell_by_cell)->Unit(benchmark::kMillisecond);
BENCHMARK(stored)->Unit(benchmark::kMillisecond);

}  // namespace
