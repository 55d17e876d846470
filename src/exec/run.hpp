// A list of tasks run to its end, with the clock of the phases.
#pragma once

#include <chrono>
#include <vector>

#include "exec/for_each.hpp"
#include "exec/scheduler.hpp"
#include "exec/task.hpp"

namespace rednova::exec {

/// Runs tasks on all threads of a context and looks after its messages meanwhile (scheduler::run). What the threads
/// spend outside of tasks counts as "waiting", averaged over them. A scheduler that is kept spares the wait for its
/// helpers to leave.
void run_tasks(context& where, scheduler& by, std::vector<task> tasks);
void run_tasks(context& where, std::vector<task> tasks);

/// Adds its life time to a phase within a task: the mean over threads, so that all phases and "waiting" add up to the
/// wall time.
class part {
 public:
  /// `phase` outlives the part.
  part(context& where, const char* phase) : where_(where), phase_(phase), start_(clock::now()) {}
  part(const part&) = delete;
  part& operator=(const part&) = delete;
  ~part() {
    const double seconds = std::chrono::duration<double>(clock::now() - start_).count();
    where_.times().add(phase_, seconds / where_.threads());
  }

 private:
  using clock = std::chrono::steady_clock;
  context& where_;
  const char* phase_;
  clock::time_point start_;
};

}  // namespace rednova::exec
