// How the device's benchmarks take times, and the lines of their table.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "exec/cuda/timer.hpp"
#include "mesh/block.hpp"
#include "work.hpp"

namespace rednova::bench {

/// Blocks of a launch: 8³ side by side.
inline constexpr int blocks_along = 8, blocks = blocks_along * blocks_along * blocks_along;

/// Median seconds of a launch, after one that does not count.
template <class Launch>
double seconds(const exec::cuda::context& context, const Launch& launch) {
  constexpr int repeats = 15;
  launch();
  std::vector<double> all;
  for (int i = 0; i < repeats; ++i) {
    exec::cuda::event start, end;
    start.record(context);
    launch();
    end.record(context);
    all.push_back(end.since(start));
  }
  std::ranges::nth_element(all, all.begin() + repeats / 2);
  return all[repeats / 2];
}

/// The device's measures, a second.
struct peaks {
  double flops, bytes;
};

/// A line of the table; `work` is for each cell.
inline void report(const std::string& name, double time, const work& work, const peaks& most) {
  const double cells = blocks * mesh::cells, flops = work.flops * cells / time, bytes = work.bytes * cells / time;
  fmt::print("| {:<16} | {:8.1f} | {:10.1f} | {:8.0f} | {:5.1f} % | {:8.1f} | {:5.1f} % |\n", name, 1e6 * time,
             1e-6 * cells / time, 1e-9 * flops, 100 * flops / most.flops, 1e-9 * bytes, 100 * bytes / most.bytes);
}

/// Lines of hydro's kernels and of the sums.
void hydro_kernels(const exec::cuda::context& context, const peaks& most);

}  // namespace rednova::bench
