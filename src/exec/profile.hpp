// Where the time of a run's threads goes: always on, at the cost of two looks at the clock and a few stores a scope.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace rednova::exec {

/// Phases that the runtime itself has.
namespace phases {
inline constexpr const char* task = "tasks, outside of phases";
inline constexpr const char* step = "main thread between tasks";
inline constexpr const char* polling = "looking for messages";
inline constexpr const char* wait_for_messages = "wait for messages";
inline constexpr const char* wait_for_threads = "wait for other threads";
inline constexpr const char* wait_for_ranks = "wait for all ranks";
}  // namespace phases

/// What a thread does in a scope.
enum class activity : std::uint8_t { work, wait };

/// Times of phases on each thread of a context. Scopes lie within each other, and the own time of a phase is what no
/// scope within it claims: the own times of all phases add up to the time that threads spend in scopes.
///
/// Each thread writes a table of its own, without a lock. Any thread may read meanwhile; it misses open scopes.
class profile {
 public:
  /// What one phase has taken.
  struct entry {
    double seconds = 0;      ///< own time, summed over threads
    std::int64_t calls = 0;  ///< scopes that have ended
    double longest = 0;      ///< the longest scope, with those within it, in seconds
    activity what = activity::work;
  };
  using table = std::map<std::string, entry, std::less<>>;

  class scope;

  /// threads: of the context, slots of its arena.
  explicit profile(int threads);
  profile(const profile&) = delete;
  profile& operator=(const profile&) = delete;
  ~profile();

  /// Adds a call of that many seconds by another clock than the threads', as a device's; such times are no thread's.
  void add(std::string_view phase, double seconds);

  /// Own times of the phases of all threads.
  table entries() const;
  /// What was added by other clocks.
  table elsewhere() const;
  /// Own times in scopes of each thread, by slot: [slot][activity], in seconds.
  std::vector<std::array<double, 2>> threads() const;
  /// Seconds since the start, or since clear().
  double seconds() const;
  /// Mean over the threads of the time in which they waited, or had nothing to do outside of all scopes but for the
  /// main thread, who has the program to run.
  double waiting() const;

  /// Switches scopes off, for good: they then cost a test of a flag.
  void switch_off() { on_ = false; }
  bool on() const { return on_; }
  /// Not while threads are in scopes.
  void clear();

 private:
  struct row;
  struct thread_log;
  using clock = std::chrono::steady_clock;

  bool on_ = true;
  clock::time_point start_ = clock::now();
  std::vector<std::unique_ptr<thread_log>> logs_;  // by slot
  mutable std::mutex guard_;
  table elsewhere_;  // under guard_
};

/// Adds its life time to a phase of the calling thread, on which it must also end.
class profile::scope {
 public:
  /// `phase` outlives the profile.
  scope(profile& p, const char* phase, activity what = activity::work) {
    if (p.on_) begin(p, phase, what);
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  ~scope() {
    if (log_ != nullptr) end();
  }
  /// What it was is known by its end.
  void was(const char* phase) { phase_ = phase; }

 private:
  void begin(profile& p, const char* phase, activity what);
  void end();

  thread_log* log_ = nullptr;
  scope* around_ = nullptr;
  const char* phase_ = nullptr;
  activity what_ = activity::work;
  std::int64_t within_ = 0;  // ns of the scopes in this one
  clock::time_point start_;
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
