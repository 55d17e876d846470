// Runs coroutines on the threads of a context.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include "exec/for_each.hpp"
#include "exec/poller.hpp"
#include "exec/task.hpp"

namespace rednova::exec {

/// Runs coroutines, in the order in which they become ready but urgent ones first, and polls between them.
///
/// The thread that calls run() works too: it polls, runs a task if one is ready, and polls again. The other threads
/// of the context join while there are tasks. Nothing blocks: who waits for an event leaves its core to others.
class scheduler {
 public:
  enum class mode {
    threads,  ///< on all threads of the context
    serial    ///< on the calling thread alone: the same tasks from first to last, a debugger can follow
  };

  /// phase: what counts as a task's time that is none of its phases; it outlives the context.
  explicit scheduler(context& context, mode m = mode::threads, const char* phase = phases::task);
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;
  ~scheduler();

  /// Runs the tasks to their end, started in the order given; main thread only.
  ///
  /// What leaves a task ends the run: what is ready still goes on, tasks that wait are destroyed, and the error is
  /// thrown (the first in the order of the tasks, if there are several). What `polled` throws ends it too.
  /// Without `polled`, tasks that wait for each other in a circle are an error; with it, they wait for its idle().
  void run(std::vector<task> tasks, poller* polled = nullptr);

  /// For events and tasks: queues a coroutine that may go on, from any thread.
  void enqueue(task::handle ready);
  /// For when_all: starts a task beside others.
  void start(task& t, int order, event& ended);
  /// For events and tasks.
  profile& times() const { return context_->times(); }
  /// For tasks: notes an error.
  void failed(int order, std::exception_ptr error);

 private:
  using clock = std::chrono::steady_clock;
  std::optional<task::handle> next();
  void resume(task::handle ready, std::int64_t asked);
  void start_all(std::vector<task>& tasks, event& ended);
  bool run_one();
  void help(std::int64_t asked);
  bool nothing_ready();
  void loop(const event& ended, poller* polled);
  bool over(const event& ended, const poller* polled) const;

  context* context_;
  const char* phase_;
  int most_helpers_;  ///< threads beside the main thread
  std::mutex guard_;
  std::deque<task::handle> ready_;   // under guard_
  std::deque<task::handle> urgent_;  // under guard_
  int helpers_ = 0;                  // under guard_: threads that have joined or are on their way
  std::atomic<int> unfinished_{0};   // coroutines that are ready or running
  std::mutex error_guard_;
  std::exception_ptr error_;
  int error_order_ = 0;
  std::atomic<bool> failing_{false};
};

}  // namespace rednova::exec
