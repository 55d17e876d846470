// Speed of the device's kernels, each alone: a table of times, operations against the peak of multiply-adds and bytes
// against that of copies, both measured in the same run. tools/device_bench.sh carries it to a machine with a device.
#include <algorithm>
#include <random>
#include <vector>

#include "device_peak.hpp"
#include "device_solve.hpp"
#include "device_sweeps.hpp"
#include "device_table.hpp"
#include "gravity/cuda/interactions.hpp"
#include "gravity/lattice.hpp"

namespace {

using namespace rednova;

using bench::blocks;
using bench::peaks;
using bench::report;
using bench::seconds;

peaks measure(const exec::cuda::context& context) {
  exec::cuda::array<double> out(bench::peak_threads);
  constexpr int n = 1 << 27;
  exec::cuda::array<double> from(n), to(n);
  const double flops = bench::peak_flops() / seconds(context, [&] { bench::launch_peak(context, out.data()); });
  const double copied = 2.0 * n * sizeof(double);
  return {flops, copied / seconds(context, [&] { bench::launch_copy(context, n, from.data(), to.data()); })};
}

/// Random sources in the device's memory, and the neighbours of each block: 26, the last beside the first.
struct crowd {
  static constexpr int edge = bench::blocks_along;

  crowd(const exec::cuda::context& context, int numbers)
      : values(gravity::index(blocks) * gravity::index(gravity::block_size(numbers))),
        sources(gravity::index(blocks * mesh::sides)) {
    std::vector<double> random(values.size());
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> value(0.5, 1.5);
    std::ranges::generate(random, [&] { return value(generator); });
    values.copy_from(context, random);
    std::vector<gravity::source_block> all;
    for (int b = 0; b < blocks; ++b) {
      for (int s = 0; s < mesh::sides; ++s) {
        const auto next = [](int at, int step) { return (at + step - 1 + edge) % edge; };
        const int x = next(b % edge, s % 3), y = next(b / edge % edge, s / 3 % 3), z = next(b / (edge * edge), s / 9);
        const auto other = gravity::index((z * edge + y) * edge + x);
        all.push_back(
            gravity::real_block(values.data() + other * gravity::index(gravity::block_size(numbers)), numbers));
      }
    }
    sources.copy_from(context, all);
  }
  exec::cuda::array<double> values;
  exec::cuda::array<gravity::source_block> sources;
};

exec::cuda::array<double> memory(int numbers) {
  return exec::cuda::array<double>(gravity::index(blocks) * gravity::index(gravity::block_size(numbers)));
}

void multipoles(const exec::cuda::context& context, int p, int near2, const peaks& most) {
  using namespace gravity;
  const int numbers = basis_size(p);
  const operators by(p);
  const stencil far(p, near2, pairs::far, place::inner, numbers);
  const gravity::cuda::far_field kernels(context, by, far);
  const crowd with(context, numbers);
  auto sums = memory(kernels.sums()), expansions = memory(numbers), torque = memory(3), fields = memory(4);
  fields.copy_from(context, std::vector<double>(fields.size(), 0.0));
  const double pairs_flops = 2.0 * far.operators_per_cell(), number = sizeof(double);
  const auto name = [&](const char* kernel) { return fmt::format("{} p={} R²={}", kernel, p, near2); };
  report(name("M2L"),
         seconds(context,
                 [&] {
                   kernels.m2l(context, blocks, with.sources.data(), with.values.data(), sums.data(), expansions.data(),
                               torque.data());
                 }),
         {pairs_flops * bench::terms(p, p), number * (2 * numbers + 3)}, most);
  report(name("M2P"), seconds(context, [&] { kernels.m2p(context, blocks, with.sources.data(), fields.data()); }),
         {pairs_flops * bench::terms(p, 1), number * (numbers + 8)}, most);
}

void points(const exec::cuda::context& context, int near2, const peaks& most) {
  using namespace gravity;
  const stencil near(1, near2, pairs::near, place::inner, 1, face_attraction);
  const gravity::cuda::near_field kernel(context, near);
  const crowd with(context, 1);
  auto fields = memory(4);
  report(fmt::format("P2P R²={}", near2),
         seconds(context, [&] { kernel.p2p(context, blocks, with.sources.data(), fields.data()); }),
         {2.0 * near.operators_per_cell() * 4, 5.0 * sizeof(double)}, most);
}

/// Up and down between blocks and their parents, and the ends of leaves: for each cell of a child.
void sweeps_of(const exec::cuda::context& context, int p, const peaks& most) {
  static_assert(bench::sweeps::children == blocks);
  bench::sweeps sweeps(context, p);
  const double numbers = gravity::basis_size(p), number = sizeof(double), terms = 2 * sweeps.entries();
  report(fmt::format("M2M p={}", p), seconds(context, [&] { sweeps.add_up(context); }),
         {terms, number * numbers * 9 / 8}, most);
  report(fmt::format("L2L p={}", p), seconds(context, [&] { sweeps.down(context); }),
         {terms, number * (numbers * 17 / 8 + 1 + 6 + 0.5)}, most);
  report(fmt::format("leaves' fields p={}", p), seconds(context, [&] { sweeps.set(context); }),
         {8 * numbers, number * (1 + 4 + 7 + (numbers + 4) / 8)}, most);
}

/// A whole solve of 8³ leaves of one level, a small one: the coarse levels do not fill a device.
void solve(const exec::cuda::context& context, int p, int near2, const peaks& most) {
  const auto tree = mesh::tree::uniform({{-0.5, -0.5, -0.5}, 1.0, {1, 1, 1}, {}}, 3);
  EXPECT(tree.leaves() == blocks);
  config::gravity par;
  par.order = p;
  par.near_radius_squared = near2;
  const gravity::stencil far(p, near2, gravity::pairs::far, gravity::place::inner, gravity::basis_size(p)),
      near(1, near2, gravity::pairs::near, gravity::place::inner, 1);
  const double refined = static_cast<double>(tree.size() - blocks) / blocks;
  report(fmt::format("solve p={} R²={}", p, near2), seconds(context, bench::device_solve(context, par, tree)),
         {2.0 * (near.operators_per_cell() * 4 + refined * far.operators_per_cell() * bench::terms(p, p)),
          sizeof(double) * static_cast<double>(1 + gravity::result_fields)},
         most);
}

}  // namespace

int main() {
  try {
    const exec::cuda::context context;
    const peaks most = measure(context);
    fmt::print("{}: multiply-adds {:.0f} GFLOP/s, copies {:.0f} GB/s (bytes read plus bytes written)\n\n",
               context.description(), 1e-9 * most.flops, 1e-9 * most.bytes);
    fmt::print("| kernel           |       µs | Mcells/s   | GFLOP/s  | of peak | GB/s     | of copy |\n");
    fmt::print("|---|---|---|---|---|---|---|\n");
    for (const int near2 : {4, 6, 10}) points(context, near2, most);
    for (const int p : {3, 4, 5}) {
      for (const int near2 : {4, 6, 10}) multipoles(context, p, near2, most);
    }
    for (const int p : {3, 4, 5}) sweeps_of(context, p, most);
    for (const int p : {3, 4}) solve(context, p, 6, most);
    bench::hydro_kernels(context, most);
  } catch (const core::user_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
