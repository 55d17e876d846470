#include "exec/run.hpp"

#include <numeric>
#include <utility>

#include "exec/transport.hpp"

namespace rednova::exec {

namespace {

/// Seconds that threads have spent outside of tasks, averaged over them.
double idle_seconds(const scheduler::counters& c) {
  return c.seconds - std::accumulate(c.busy.begin(), c.busy.end(), 0.0) / static_cast<double>(c.busy.size());
}

}  // namespace

void run_tasks(context& where, scheduler& by, std::vector<task> tasks) {
  const double before = idle_seconds(by.counts());
  by.run(std::move(tasks), where.ranks());
  where.times().add("waiting", idle_seconds(by.counts()) - before);
}

void run_tasks(context& where, std::vector<task> tasks) {
  scheduler by(where);
  run_tasks(where, by, std::move(tasks));
}

}  // namespace rednova::exec
