// The measure of all kernels: multiply-adds on registers.
#pragma once

#include <benchmark/benchmark.h>

#include <array>

#include "exec/simd.hpp"

namespace rednova::bench {

/// Enough multiply-adds beside each other to hide their latency.
inline void peak(benchmark::State& state) {
  using exec::pack;
  constexpr int chains = 16, rounds = 1000;
  std::array<pack, chains> sum;
  for (int i = 0; i < chains; ++i) sum[static_cast<std::size_t>(i)] = 1e-3 * i;
  double a = 0.999999, b = 1e-9;
  benchmark::DoNotOptimize(a);
  benchmark::DoNotOptimize(b);
  for (auto _ : state) {
    const pack x(a), y(b);
    for (int n = 0; n < rounds; ++n) {
#pragma GCC unroll 16
      for (int i = 0; i < chains; ++i) {
        sum[static_cast<std::size_t>(i)] = sum[static_cast<std::size_t>(i)] * x + y;
      }
    }
    for (pack& s : sum) benchmark::DoNotOptimize(s);
  }
  state.counters["flops"] = benchmark::Counter(
      2.0 * chains * rounds * exec::lanes<pack> * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

}  // namespace rednova::bench
