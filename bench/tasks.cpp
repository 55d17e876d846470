// What a task costs that waits: the layers of the step without its work.
#include <benchmark/benchmark.h>

#include <vector>

#include "exec/scheduler.hpp"

namespace {

using namespace rednova;

/// 100 000 stretches of coroutines, each of which waits for two others of the layer before.
void tasks(benchmark::State& state) {
  constexpr int width = 100, layers = 1000;
  exec::context context(static_cast<int>(state.range(0)));
  exec::scheduler run(context);
  const auto at = [](int layer, int i) { return static_cast<std::size_t>(layer * width + i % width); };
  for (auto _ : state) {
    std::vector<exec::event> done(std::size_t{width} * layers);
    const auto column = [&](int i) -> exec::task {
      for (int layer = 0; layer < layers; ++layer) {
        if (layer > 0) co_await exec::all(done[at(layer - 1, i)], done[at(layer - 1, i + 1)]);
        done[at(layer, i)].arrive();
      }
    };
    std::vector<exec::task> list;
    list.reserve(width);
    for (int i = 0; i < width; ++i) list.push_back(column(i));
    run.run(std::move(list));
  }
  state.SetItemsProcessed(state.iterations() * width * layers);
}
BENCHMARK(tasks)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
