// Compiled by itself, with products and sums fused (CMakeLists.txt): what a program that links the hydrodynamics is
// compiled with forbids it.
#include "peak.hpp"

#include <array>

#include "exec/simd.hpp"

namespace rednova::bench {

void peak(benchmark::State& state) {
  using exec::pack;
  constexpr int chains = 12, rounds = 1000;
  std::array<pack, chains> sum;
  for (int i = 0; i < chains; ++i) sum[static_cast<std::size_t>(i)] = 1e-3 * i;
  double a = 0.999999, b = 1e-9;
  benchmark::DoNotOptimize(a);
  benchmark::DoNotOptimize(b);
  for (auto _ : state) {
    const pack x(a), y(b);
    for (int n = 0; n < rounds; ++n) {
#pragma GCC unroll 12
      for (int i = 0; i < chains; ++i) {
        sum[static_cast<std::size_t>(i)] = sum[static_cast<std::size_t>(i)] * x + y;
      }
    }
    for (pack& s : sum) benchmark::DoNotOptimize(s);
  }
  const double packs = static_cast<double>(chains) * rounds * static_cast<double>(state.iterations());
  state.counters["flops"] = benchmark::Counter(2.0 * exec::lanes<pack> * packs, benchmark::Counter::kIsRate);
  state.counters["a_cycle"] = benchmark::Counter(packs / clock_rate(), benchmark::Counter::kIsRate);
}

}  // namespace rednova::bench
