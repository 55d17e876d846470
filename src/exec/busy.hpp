// What each thread of a context has worked.
#pragma once

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace rednova::exec {

/// Seconds that each thread has spent in tasks and loops, thread 0 the main one, and how many pieces of work they were.
/// Any thread adds; of scopes within each other the outermost counts.
class busy_times {
 public:
  explicit busy_times(int threads) : nanoseconds_(static_cast<std::size_t>(threads)) {}

  /// Adds its life time to the calling thread's.
  class scope {
   public:
    explicit scope(busy_times& to) : to_(to), start_(clock::now()) { ++depth_; }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() {
      if (--depth_ > 0) return;
      const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - start_);
      const int slot = std::max(0, oneapi::tbb::this_task_arena::current_thread_index());
      const std::size_t own = std::min(static_cast<std::size_t>(slot), to_.nanoseconds_.size() - 1);
      to_.nanoseconds_[own].fetch_add(spent.count(), std::memory_order_relaxed);
      to_.pieces_.fetch_add(1, std::memory_order_relaxed);
    }

   private:
    using clock = std::chrono::steady_clock;
    inline static thread_local int depth_ = 0;
    busy_times& to_;
    clock::time_point start_;
  };

  std::vector<double> seconds() const {
    std::vector<double> s;
    for (const auto& ns : nanoseconds_) s.push_back(1e-9 * static_cast<double>(ns.load()));
    return s;
  }
  std::int64_t pieces() const { return pieces_.load(); }
  /// Not while threads work.
  void clear() {
    for (auto& ns : nanoseconds_) ns = 0;
    pieces_ = 0;
  }

 private:
  std::vector<std::atomic<std::int64_t>> nanoseconds_;
  std::atomic<std::int64_t> pieces_{0};
};

}  // namespace rednova::exec
