// Time by phase: what the step spends where.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace rednova::exec {

/// Phases that run beside each other, on several threads, add up: their times are then those of threads.
class profile {
 public:
  struct entry {
    double seconds = 0;
    std::int64_t calls = 0;
  };

  /// Adds the life time of this object to its phase.
  class scope {
   public:
    /// `phase` outlives the scope.
    scope(profile& p, const char* phase) : profile_(p), phase_(phase), start_(clock::now()) {}
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { profile_.add(phase_, std::chrono::duration<double>(clock::now() - start_).count()); }

   private:
    using clock = std::chrono::steady_clock;
    profile& profile_;
    const char* phase_;
    clock::time_point start_;
  };

  /// Adds one call of that many seconds, from any thread.
  void add(std::string_view phase, double seconds) {
    const std::scoped_lock lock(guard_);
    auto found = entries_.find(phase);
    if (found == entries_.end()) found = entries_.emplace(phase, entry{}).first;
    found->second.seconds += seconds;
    ++found->second.calls;
  }

  /// Not while phases run.
  const std::map<std::string, entry, std::less<>>& entries() const { return entries_; }
  void clear() { entries_.clear(); }

 private:
  std::mutex guard_;
  std::map<std::string, entry, std::less<>> entries_;
};

/// Adds the life time of this object to a sum.
class stopwatch {
 public:
  explicit stopwatch(double& sum) : sum_(sum), start_(clock::now()) {}
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() { sum_ += std::chrono::duration<double>(clock::now() - start_).count(); }

 private:
  using clock = std::chrono::steady_clock;
  double& sum_;
  clock::time_point start_;
};

}  // namespace rednova::exec
