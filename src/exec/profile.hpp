// Where the time of a run's threads goes: always on, at the cost of two looks at the clock and a few stores a scope.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/attached_tool.hpp"
#include "exec/tick_clock.hpp"
#include "exec/trace_record.hpp"

namespace rednova::exec {

/// Phases that the runtime itself has.
namespace phases {
/// Of a task what is none of its phases: it notes what it waits for, wakes the tasks that wait for it, begins others.
inline constexpr const char* task = "task switching";
inline constexpr const char* noting = "note what tasks wait for";
/// Of the other threads, from the end of a task to the next one of the queue.
inline constexpr const char* picking = "picking tasks";
/// Of the main thread where a device takes the steps: it launches, and waits for what it copies to the host.
inline constexpr const char* launching = "launch on the device, wait for it";
/// Of the main thread: it makes the tasks of a list, puts them in the queue, and destroys them at the end.
inline constexpr const char* task_lists = "task lists";
inline constexpr const char* step = "main thread between tasks";
/// Of the main thread between the tasks of a list.
inline constexpr const char* loop = "picking tasks, looking for messages";
inline constexpr const char* polling = "looking for messages";  // within a loop over blocks
inline constexpr const char* posting = "post messages";         // sends and receives
inline constexpr const char* wait_for_messages = "wait for messages";
inline constexpr const char* wait_for_threads = "wait for other threads";
inline constexpr const char* wait_for_ranks = "wait for all ranks";
/// Of the other threads, from their last scope until the main thread has begun a loop, or a task was ready for them.
inline constexpr const char* idle = "no task ready";
inline constexpr const char* waking_up = "waking up";  // from then until they begin with it
}  // namespace phases

/// What a thread does in a scope.
enum class activity : std::uint8_t { work, wait };

/// Times of phases on each thread of a context. Scopes lie within each other, and the own time of a phase is what no
/// scope within it claims: the own times of all phases add up to the time that threads spend in scopes.
///
/// Each thread writes a table of its own, without a lock. Any thread may read meanwhile: of scopes that are open it
/// finds the innermost, with its time since it is that.
class profile {
 public:
  /// What one phase has taken.
  struct entry {
    double seconds = 0;      ///< own time, summed over threads
    std::int64_t calls = 0;  ///< scopes that have ended
    double longest = 0;      ///< the longest scope, with those within it, in seconds
    double shortest = 0;     ///< the shortest one, likewise
    activity what = activity::work;
  };
  using table = std::map<std::string, entry, std::less<>>;

  class scope;
  class task_scope;
  class task_wait;

  /// threads: of the context, slots of its arena.
  explicit profile(int threads, tick_clock clock = tick_clock::best());
  profile(const profile&) = delete;
  profile& operator=(const profile&) = delete;
  ~profile();

  /// Adds a call of that many seconds by another clock than the threads', as a device's; such times are no thread's.
  void add(std::string_view phase, double seconds);

  /// What there is of all threads, each of which is read once: their times and those of phases are of one reading.
  struct reading {
    table phases;                                ///< as entries()
    std::vector<std::array<double, 2>> threads;  ///< as threads()
    std::vector<double> idle;                    ///< as idle()
    double seconds;                              ///< as seconds(): no thread's times are more
  };
  reading read() const;
  /// Own times of the phases of all threads.
  table entries() const { return read().phases; }
  /// What was added by other clocks.
  table elsewhere() const;
  /// Own times in scopes of each thread, by slot: [slot][activity], in seconds.
  std::vector<std::array<double, 2>> threads() const { return read().threads; }
  /// Seconds since each thread but the first left its last scope, by slot; 0 for one that is in a scope. They count as
  /// phases::idle once it is called.
  std::vector<double> idle() const { return read().idle; }
  /// Seconds since the start, or since clear().
  double seconds() const;
  /// The start by the steady clock, in ns.
  std::int64_t start() const;
  /// What times are read from.
  const tick_clock& clock() const { return clock_; }
  std::int64_t now() const { return on() ? clock_.now() : 0; }
  /// In place of when a thread was asked: it comes from the task before.
  static constexpr std::int64_t from_task = -1;
  /// Mean over the threads of the time in which they waited, or had nothing to do outside of all scopes but for the
  /// main thread, who has the program to run.
  double waiting() const;

  /// How much is kept.
  enum class detail : std::uint8_t {
    nothing,  ///< scopes cost a test of a flag
    times,    ///< of phases
    records   ///< of scopes, tasks and messages, too, where a trace was started
  };
  /// From here on; not while threads are in scopes.
  void switch_to(detail d);
  bool on() const { return on_.load(std::memory_order_relaxed); }
  /// Not while threads are in scopes.
  void clear();

  /// Tells it of each scope from here on, but for tasks; null: nobody. It outlives the scopes.
  void attach(const attached_tool* tool) { tool_ = tool; }

  /// From here on threads note their scopes, tasks and messages, too, for who drains them often enough. Scopes shorter
  /// than this are left out unless they are tasks: their time belongs to the scope around them.
  ///
  /// share, above 0: of tasks, picked at random; of the others nothing is noted, nor what they launch on a device. Of
  /// less than all tasks there are no messages, whose arrows would lead nowhere.
  void start_trace(double share = 1);
  static constexpr std::int64_t shortest_traced = 20'000;  // ns
  bool traced() const { return share_traced_ > 0; }
  bool notes_messages() const { return share_traced_ >= 1; }
  /// Where messages are noted: notes one of the calling thread, and gives it an id. `mailbox` outlives the profile.
  std::uint32_t note_message(trace_record::kind what, const char* mailbox, int peer, std::uint32_t number,
                             std::size_t bytes, std::uint32_t cause);
  /// The id of the task or message that the calling thread is at; 0 if none or it is not noted.
  std::uint32_t running() const { return traced() ? id_of_running() : 0; }
  /// What the calling thread is at from here on, for the time of a message's arrival.
  void set_running(std::uint32_t id);
  /// Is told by each thread what it is at from then on, where a trace is on: what it launches is that task's.
  class running_observer {
   public:
    virtual ~running_observer() = default;
    virtual void runs(std::uint32_t id) = 0;
  };
  /// Null: nobody. Not while threads are in tasks; it outlives them.
  void tell_running(running_observer* to) { told_ = to; }
  /// The id of the task that any thread left last; 0 if it is not noted.
  std::uint32_t last_task() const { return last_task_.load(std::memory_order_relaxed); }
  /// Where a trace is on, by any thread: notes what a device did in one of its queues. Times are ns of the steady
  /// clock, cause is the id of the task that launched it. Queues are the slots after the threads'.
  void note_on_device(int queue, std::string_view what, std::int64_t start, std::int64_t end, std::uint32_t cause);
  /// Calls take(slot, records) with what threads and devices have noted since. By one thread at a time.
  void drain(const std::function<void(int slot, std::span<const trace_record>)>& take);
  /// The list of names of a thread or a queue, "" where it has none.
  std::vector<const char*> names(int slot) const;
  /// Records that found no room.
  std::int64_t lost() const;

 private:
  struct row;
  struct thread_log;
  struct queue_log;

  thread_log& own_log() const;
  std::uint32_t id_of_running() const;
  void suspend_task();
  void resume_task(std::uint32_t cause);
  /// Of the calling thread: notes what it is at, and gives what it was at before.
  std::uint32_t exchange_running(thread_log& log, std::uint32_t id);

  tick_clock clock_;
  steady_line line_;  // of who drains
  std::atomic<bool> on_{true};
  double share_traced_ = 0;  // of tasks; 0: nothing is noted
  double share_asked_ = 0;   // by start_trace()
  const attached_tool* tool_ = nullptr;
  running_observer* told_ = nullptr;
  std::int64_t start_ = clock_.now();
  std::vector<std::unique_ptr<thread_log>> logs_;  // by slot
  mutable std::mutex guard_;
  table elsewhere_;                                 // under guard_
  std::vector<std::unique_ptr<queue_log>> queues_;  // of a device; under guard_
  // All threads write it, as each task ends: not into the line that each scope reads.
  alignas(64) std::atomic<std::uint32_t> last_task_{0};
};

/// Adds its life time to a phase of the calling thread, on which it must also end.
class profile::scope {
 public:
  /// `phase` outlives the profile.
  scope(profile& p, const char* phase, activity what = activity::work) {
    if (p.on()) begin(p, phase, what);
  }
  /// A thread's share of what was there for it since `asked`, by now(): its time until then was idle.
  scope(profile& p, const char* phase, std::int64_t asked) {
    if (!p.on()) return;
    begin(p, phase, activity::work);
    if (around_ == nullptr) was_asked(asked);
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  ~scope() {
    if (log_ != nullptr) end();
  }
  /// What it was is known by its end, or while it lasts. No scope is within it.
  void was(const char* phase) {
    phase_ = phase;
    if (log_ != nullptr) name_again();
  }
  /// By now(); 0 where the profile is off.
  std::int64_t started() const { return start_; }

 private:
  friend class profile;
  friend class task_scope;
  void begin(profile& p, const char* phase, activity what);
  void was_asked(std::int64_t asked);
  void name_again();
  void end();

  thread_log* log_ = nullptr;
  scope* around_ = nullptr;
  const char* phase_ = nullptr;
  activity what_ = activity::work;
  std::uint8_t depth_ = 0;
  bool noted_ = true;                 // in a trace
  std::uint32_t id_ = 0, cause_ = 0;  // of a task
  std::int32_t number_ = -1;
  std::int64_t within_ = 0;  // ticks of the scopes in this one
  const attached_tool* tool_ = nullptr;
  std::uint64_t number_in_tool_ = 0;
  std::int64_t start_ = 0;  // ticks
  std::int64_t free_ = 0;   // of an outermost one: since when the thread had no scope
};

/// The scope of a task, from where it goes on to where it waits or ends. What it makes ready has it as its cause.
class profile::task_scope {
 public:
  /// cause: the id of what made it ready; number: of the task in its list, or -1; asked: as of a scope.
  task_scope(profile& p, std::uint32_t cause, int number, const char* phase = phases::task, std::int64_t asked = 0)
      : scope_(p, phase, asked) {
    if (p.traced()) begin(p, cause, number);
  }
  task_scope(const task_scope&) = delete;
  task_scope& operator=(const task_scope&) = delete;
  ~task_scope() {
    if (traced_in_ != nullptr) end();
  }

 private:
  friend class profile;
  void begin(profile& p, std::uint32_t cause, int number);
  void end();
  void suspend();
  void resume(profile& p, std::uint32_t cause, int number);

  scope scope_;
  profile* traced_in_ = nullptr;
  task_scope* around_ = nullptr;
  std::uint32_t outer_ = 0;  // what the thread was at before
};

/// A wait of a task on its own thread. Of a trace: the task ends where it begins, and where it ends another one begins
/// that has what was awaited as its cause, as where a coroutine waits. No scope in the task is open. Nothing where the
/// thread is at no task.
class profile::task_wait {
 public:
  explicit task_wait(profile& p) : profile_(p) { p.suspend_task(); }
  task_wait(const task_wait&) = delete;
  task_wait& operator=(const task_wait&) = delete;
  ~task_wait() { profile_.resume_task(cause_); }
  /// The id of what has come.
  void ended_by(std::uint32_t cause) { cause_ = cause; }

 private:
  profile& profile_;
  std::uint32_t cause_ = 0;
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
