// What a scope of the profile costs.
#include "exec/profile.hpp"

#include <benchmark/benchmark.h>

namespace rednova {
namespace {

void scope_of_the_profile(benchmark::State& state) {
  exec::profile p(1);
  if (state.range(0) == 0) p.switch_to(exec::profile::detail::nothing);
  for (auto _ : state) {
    const exec::profile::scope timed(p, "phase");
    benchmark::ClobberMemory();
  }
}
BENCHMARK(scope_of_the_profile)->ArgName("on")->Arg(1)->Arg(0);

}  // namespace
}  // namespace rednova
