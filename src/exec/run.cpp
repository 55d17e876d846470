#include "exec/run.hpp"

#include <numeric>
#include <utility>

#include "exec/scheduler.hpp"
#include "exec/transport.hpp"

namespace rednova::exec {

void run_tasks(context& where, std::vector<task> tasks) {
  scheduler run(where);
  run.run(std::move(tasks), where.ranks());
  const scheduler::counters c = run.counts();
  const double busy = std::accumulate(c.busy.begin(), c.busy.end(), 0.0);
  where.times().add("waiting", c.seconds - busy / static_cast<double>(c.busy.size()));
}

}  // namespace rednova::exec
