// What a scope of the profile costs, with a trace and without, and what of that its clock takes.
#include "exec/profile.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace rednova {
namespace {

using exec::profile;
using exec::tick_clock;

/// Argument 1: the counter, if the system trusts it; 0: the steady clock.
std::optional<tick_clock> clock_of(benchmark::State& state) {
  if (state.range(0) == 0) return tick_clock(tick_clock::source::steady);
  if (tick_clock::trusted()) return tick_clock(tick_clock::source::counter);
  state.SkipWithError("the system does not trust the counter");
  return {};
}

void reading_of_the_clock(benchmark::State& state) {
  const std::optional<tick_clock> c = clock_of(state);
  if (!c) return;
  for (auto _ : state) benchmark::DoNotOptimize(c->now());
}
BENCHMARK(reading_of_the_clock)->ArgName("counter")->Arg(1)->Arg(0);

void ordered_reading_of_the_clock(benchmark::State& state) {
  const std::optional<tick_clock> c = clock_of(state);
  if (!c) return;
  for (auto _ : state) benchmark::DoNotOptimize(c->ordered());
}
BENCHMARK(ordered_reading_of_the_clock)->ArgName("counter")->Arg(1)->Arg(0);

void scope_of_the_profile(benchmark::State& state) {
  const std::optional<tick_clock> c = clock_of(state);
  if (!c) return;
  profile p(1, *c);
  for (auto _ : state) {
    const profile::scope timed(p, "phase");
    benchmark::ClobberMemory();
  }
}
BENCHMARK(scope_of_the_profile)->ArgName("counter")->Arg(1)->Arg(0);

void scope_without_a_profile(benchmark::State& state) {
  profile p(1);
  p.switch_to(profile::detail::nothing);
  for (auto _ : state) {
    const profile::scope timed(p, "phase");
    benchmark::ClobberMemory();
  }
}
BENCHMARK(scope_without_a_profile);

/// What a step has most of, in a trace: a task with a phase in it, of which the task is noted.
void task_and_phase_in_a_trace(benchmark::State& state) {
  const std::optional<tick_clock> c = clock_of(state);
  if (!c) return;
  profile p(1, *c);
  p.start_trace();
  int tasks = 0;
  for (auto _ : state) {
    {
      const profile::task_scope task(p, 0, 0);
      const profile::scope timed(p, "phase");
      benchmark::ClobberMemory();
    }
    constexpr int fit = exec::trace_ring::size / 2;
    if (++tasks % fit != 0) continue;
    state.PauseTiming();
    p.drain([](int, auto) {});
    state.ResumeTiming();
  }
}
BENCHMARK(task_and_phase_in_a_trace)->ArgName("counter")->Arg(1)->Arg(0);

/// As between the phases of a step: other work has used the first caches since the last scope. `median`, in seconds,
/// does not know of the times that the system has stopped the thread, as the mean does. Argument 2: no scope, what
/// two readings are apart.
void scope_after_other_work(benchmark::State& state) {
  const bool scoped = state.range(0) < 2;
  const std::optional<tick_clock> c = scoped ? clock_of(state) : tick_clock::best();
  if (!c) return;
  profile p(1, *c);
  if (!scoped) p.switch_to(profile::detail::nothing);
  std::vector<double> work(std::size_t{1} << 16U, 1.0);  // 512 KiB
  const tick_clock outer = tick_clock::best();
  std::vector<double> times;
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::accumulate(work.begin(), work.end(), 0.0));
    const std::int64_t before = outer.ordered();
    {
      const profile::scope timed(p, "phase");
      benchmark::ClobberMemory();
    }
    times.push_back(outer.seconds(outer.ordered() - before));
    state.SetIterationTime(times.back());
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  state.counters["median"] = *middle;
}
BENCHMARK(scope_after_other_work)->ArgName("counter")->Arg(1)->Arg(0)->Arg(2)->UseManualTime()->Iterations(5000);

}  // namespace
}  // namespace rednova
