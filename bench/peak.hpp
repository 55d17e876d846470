// The measure of all kernels: multiply-adds on registers.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace rednova::bench {

/// Cycles of the core's clock in a second, by additions and exclusive-ors that wait for each other: one cycle each.
inline double clock_rate() {
  constexpr int pairs = 16, rounds = 20000, tries = 5;
  std::uint64_t x = 1, k = 3;
  benchmark::DoNotOptimize(k);
  double fastest = 0;
  for (int t = 0; t < tries; ++t) {
    const auto begin = std::chrono::steady_clock::now();
    for (int n = 0; n < rounds; ++n) {
#pragma GCC unroll 16
      for (int i = 0; i < pairs; ++i) {
        x = (x + k) ^ k;
        asm volatile("" : "+r"(x));  // what the compiler must not see through
      }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    fastest = std::max(fastest, 2.0 * pairs * rounds / took.count());
  }
  return fastest;
}

/// Multiply-adds beside each other, enough to hide their latency of four cycles in two pipes, few enough for the
/// sixteen registers of AVX2: with sixteen chains and two factors that loop spilled, and showed 57 % of the peak.
///
/// `a_cycle` is the number of multiply-adds of packs in a cycle, which the processor's documents give: 2 of AVX2 since
/// Haswell and Zen 2; of AVX-512 2 with two pipes of that width and 1 with one, or with halves (Zen 4).
void peak(benchmark::State& state);

}  // namespace rednova::bench
