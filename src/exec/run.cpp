#include "exec/run.hpp"

#include <utility>

#include "exec/transport.hpp"

namespace rednova::exec {

void run_tasks(context& where, scheduler& by, std::vector<task> tasks) { by.run(std::move(tasks), where.ranks()); }

void run_tasks(context& where, std::vector<task> tasks) {
  scheduler by(where);
  run_tasks(where, by, std::move(tasks));
}

}  // namespace rednova::exec
