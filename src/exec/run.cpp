#include "exec/run.hpp"

#include <numeric>
#include <utility>

#include "exec/transport.hpp"

namespace rednova::exec {

namespace {

/// Seconds of the scheduler's runs that threads have spent outside of tasks, averaged over them.
double idle_seconds(context& where, const scheduler& by) {
  const std::vector<double> busy = where.busy().seconds();
  return by.counts().seconds - std::accumulate(busy.begin(), busy.end(), 0.0) / where.threads();
}

}  // namespace

void run_tasks(context& where, scheduler& by, std::vector<task> tasks) {
  const double before = idle_seconds(where, by);
  by.run(std::move(tasks), where.ranks());
  where.times().add("waiting", idle_seconds(where, by) - before);
}

void run_tasks(context& where, std::vector<task> tasks) {
  scheduler by(where);
  run_tasks(where, by, std::move(tasks));
}

}  // namespace rednova::exec
