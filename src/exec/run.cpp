#include "exec/run.hpp"

#include <utility>

#include "exec/transport.hpp"

namespace rednova::exec {

void run_tasks(context& context, scheduler& by, std::vector<task> tasks) { by.run(std::move(tasks), context.ranks()); }

void run_tasks(context& context, std::vector<task> tasks) {
  scheduler by(context);
  run_tasks(context, by, std::move(tasks));
}

}  // namespace rednova::exec
