// Speed of the device's kernels, each alone: a table of times, operations against the peak of multiply-adds and bytes
// against that of copies, both measured in the same run. tools/device_bench.sh carries it to a machine with a device.
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <vector>

#include "device_peak.hpp"
#include "exec/cuda/timer.hpp"
#include "gravity/cuda/across.hpp"
#include "gravity/lattice.hpp"
#include "work.hpp"

namespace {

using namespace rednova;

/// Blocks of a launch: 8³ side by side, each with 26 neighbours, the last beside the first.
constexpr int edge = 8, blocks = edge * edge * edge;

/// Median seconds of a launch, after one that does not count.
template <class Launch>
double seconds(const exec::cuda::context& where, const Launch& launch) {
  constexpr int repeats = 15;
  launch();
  std::vector<double> all;
  for (int i = 0; i < repeats; ++i) {
    exec::cuda::event start, end;
    start.record(where);
    launch();
    end.record(where);
    all.push_back(end.since(start));
  }
  std::ranges::nth_element(all, all.begin() + repeats / 2);
  return all[repeats / 2];
}

struct peaks {
  double flops, bytes;
};

peaks measure(const exec::cuda::context& where) {
  exec::cuda::array<double> out(bench::peak_threads);
  constexpr int n = 1 << 27;
  exec::cuda::array<double> from(n), to(n);
  const double flops = bench::peak_flops() / seconds(where, [&] { bench::launch_peak(where, out.data()); });
  const double copied = 2.0 * n * sizeof(double);
  return {flops, copied / seconds(where, [&] { bench::launch_copy(where, n, from.data(), to.data()); })};
}

/// Random sources in the device's memory, and the neighbours of each block.
struct crowd {
  crowd(const exec::cuda::context& where, int numbers)
      : values(gravity::index(blocks) * gravity::index(gravity::block_size(numbers))),
        sources(gravity::index(blocks * mesh::sides)) {
    std::vector<double> random(values.size());
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> value(0.5, 1.5);
    std::ranges::generate(random, [&] { return value(generator); });
    values.copy_from(where, random);
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
    sources.copy_from(where, all);
  }
  exec::cuda::array<double> values;
  exec::cuda::array<gravity::source_block> sources;
};

exec::cuda::array<double> memory(int numbers) {
  return exec::cuda::array<double>(gravity::index(blocks) * gravity::index(gravity::block_size(numbers)));
}

/// A line of the table; `work` is for each cell.
void report(const std::string& name, double time, const bench::work& work, const peaks& most) {
  const double cells = blocks * mesh::cells, flops = work.flops * cells / time, bytes = work.bytes * cells / time;
  fmt::print("| {:<16} | {:8.1f} | {:10.1f} | {:8.0f} | {:5.1f} % | {:8.1f} | {:5.1f} % |\n", name, 1e6 * time,
             1e-6 * cells / time, 1e-9 * flops, 100 * flops / most.flops, 1e-9 * bytes, 100 * bytes / most.bytes);
}

void multipoles(const exec::cuda::context& where, int p, int near2, const peaks& most) {
  using namespace gravity;
  const int numbers = basis_size(p);
  const operators by(p);
  const stencil far(p, near2, pairs::far, place::inner, numbers);
  const gravity::cuda::far_field kernels(where, by, far);
  const crowd with(where, numbers);
  auto sums = memory(kernels.sums()), expansions = memory(numbers), torque = memory(3), fields = memory(4);
  fields.copy_from(where, std::vector<double>(fields.size(), 0.0));
  const double pairs_flops = 2.0 * far.operators_per_cell(), number = sizeof(double);
  const auto name = [&](const char* kernel) { return fmt::format("{} p={} R²={}", kernel, p, near2); };
  report(name("M2L"),
         seconds(where,
                 [&] {
                   kernels.m2l(where, blocks, with.sources.data(), with.values.data(), sums.data(), expansions.data(),
                               torque.data());
                 }),
         {pairs_flops * bench::terms(p, p), number * (2 * numbers + 3)}, most);
  report(name("M2P"), seconds(where, [&] { kernels.m2p(where, blocks, with.sources.data(), fields.data()); }),
         {pairs_flops * bench::terms(p, 1), number * (numbers + 8)}, most);
}

void points(const exec::cuda::context& where, int near2, const peaks& most) {
  using namespace gravity;
  const stencil direct(1, near2, pairs::direct, place::inner, 1, face_attraction);
  const gravity::cuda::near_field kernel(where, direct);
  const crowd with(where, 1);
  auto fields = memory(4);
  report(fmt::format("P2P R²={}", near2),
         seconds(where, [&] { kernel.p2p(where, blocks, with.sources.data(), fields.data()); }),
         {2.0 * direct.operators_per_cell() * 4, 5.0 * sizeof(double)}, most);
}

}  // namespace

int main() {
  try {
    const exec::cuda::context where;
    const peaks most = measure(where);
    fmt::print("{}: multiply-adds {:.0f} GFLOP/s, copies {:.0f} GB/s (bytes read plus bytes written)\n\n",
               where.description(), 1e-9 * most.flops, 1e-9 * most.bytes);
    fmt::print("| kernel           |       µs | Mcells/s   | GFLOP/s  | of peak | GB/s     | of copy |\n");
    fmt::print("|---|---|---|---|---|---|---|\n");
    for (const int near2 : {4, 6, 10}) points(where, near2, most);
    for (const int p : {3, 4, 5}) {
      for (const int near2 : {4, 6, 10}) multipoles(where, p, near2, most);
    }
  } catch (const core::user_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
