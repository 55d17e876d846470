// A list of tasks run to its end.
#pragma once

#include <vector>

#include "exec/for_each.hpp"
#include "exec/scheduler.hpp"
#include "exec/task.hpp"

namespace rednova::exec {

/// Runs tasks on all threads of a context and looks after its messages meanwhile (scheduler::run). A
/// scheduler that is kept spares the wait for its helpers to leave.
void run_tasks(context& context, scheduler& by, std::vector<task> tasks);
void run_tasks(context& context, std::vector<task> tasks);

}  // namespace rednova::exec
