// The one kernel launcher: a functor over a range of blocks, on all threads of the context.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "exec/poller.hpp"
#include "exec/profile.hpp"

namespace rednova::exec {

class transport;

/// A context with as many threads as the machine has cores.
inline constexpr int all_cores = oneapi::tbb::task_arena::automatic;

/// Where kernels run: a number of threads, the ranks beside this one, and the clock of the phases.
class context {
 public:
  /// One rank alone.
  explicit context(int threads = all_cores) : arena_(threads), times_(arena_.max_concurrency()) { arena_.initialize(); }
  /// A rank of those that the transport connects; it outlives the context, and the calling thread is its main thread.
  context(int threads, transport& ranks);
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context();
  int threads() const { return arena_.max_concurrency(); }
  /// Since it was made, before all that a run does on its ranks.
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }
  profile& times() { return times_; }
  const profile& times() const { return times_; }
  oneapi::tbb::task_arena& arena() { return arena_; }
  /// The ranks of this run; null where this is the only one.
  transport* ranks() const { return ranks_; }
  /// Rank 0 speaks and writes for all.
  bool leads() const { return leads_; }
  /// Looks after messages if the main thread calls: work that takes long is no reason for them to wait.
  void poll_messages() {
    if (polled_ == nullptr || std::this_thread::get_id() != main_) return;
    const profile::scope timed(times_, phases::polling);
    polled_->progress();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  oneapi::tbb::task_arena arena_;
  profile times_;
  transport* ranks_ = nullptr;
  poller* polled_ = nullptr;
  bool leads_ = true;
  std::thread::id main_ = std::this_thread::get_id();
};

/// Calls kernel(i) for i = 0 … count-1 in any order and on any thread; its time counts under `phase`.
/// Kernels write only to what belongs to i, so that results do not depend on the order.
template <class Kernel>
void for_each(context& context, const char* phase, int count, const Kernel& kernel) {
  const profile::scope with_its_end(context.times(), phase);
  context.arena().execute([&] {
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<int>(0, count), [&](const oneapi::tbb::blocked_range<int>& r) {
      const profile::scope timed(context.times(), phase, with_its_end.started());
      for (int i = r.begin(); i != r.end(); ++i) {
        kernel(i);
        context.poll_messages();
      }
    });
  });
}

/// Calls kernel(i) as for_each does and folds its results in the order of i: the same bits on any number
/// of threads.
template <class Result, class Kernel, class Fold>
Result reduce(context& context, const char* phase, int count, Result start, const Kernel& kernel, const Fold& fold) {
  std::vector<Result> parts(static_cast<std::size_t>(count));
  for_each(context, phase, count, [&](int i) { parts[static_cast<std::size_t>(i)] = kernel(i); });
  for (const Result& part : parts) start = fold(std::move(start), part);
  return start;
}

/// Scratch memory: one T a thread, made when the thread first asks.
template <class T>
class per_thread {
 public:
  T& local() const { return values_.local(); }

 private:
  mutable oneapi::tbb::enumerable_thread_specific<T> values_;
};

}  // namespace rednova::exec
