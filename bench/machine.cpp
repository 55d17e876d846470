// What one core of this machine can do: multiply-adds on registers, and the triad of STREAM (McCalpin 1995) in memory.
#include <benchmark/benchmark.h>

#include "exec/array.hpp"
#include "peak.hpp"

namespace {

using namespace rednova;

/// a = b + s c over arrays that no cache holds; the bytes of the three arrays count, as STREAM counts them.
void stream_triad(benchmark::State& state) {
  constexpr std::size_t size = 16 << 20;
  exec::array<double> a(size, 0.0), b(size, 1.0), c(size, 2.0);
  double s = 3;
  benchmark::DoNotOptimize(s);
  for (auto _ : state) {
    for (std::size_t i = 0; i < size; ++i) a[i] = b[i] + s * c[i];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  state.counters["bytes"] = benchmark::Counter(3.0 * sizeof(double) * size * static_cast<double>(state.iterations()),
                                               benchmark::Counter::kIsRate);
}

BENCHMARK(bench::peak)->Name("peak");
BENCHMARK(stream_triad);

}  // namespace
