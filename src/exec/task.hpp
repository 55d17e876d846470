// Coroutines that wait for what they need without holding a core: events, tasks, and all of several.
#pragma once

#include <atomic>
#include <concepts>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace rednova::exec {

class event;
class scheduler;

/// A coroutine. It begins when it is awaited, or when a scheduler runs it; it resumes on any thread of that
/// scheduler. `co_await` of a task goes on when the task has ended, and throws what left it.
class [[nodiscard]] task {
 public:
  struct promise_type;
  using handle = std::coroutine_handle<promise_type>;

  task(task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
  task& operator=(task&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  /// A task that has not ended may be destroyed while nothing runs it: it stops waiting, and so do those it waits for.
  ~task() {
    if (frame_) frame_.destroy();
  }

  /// Goes on before all that are ready and not urgent: others wait for what it does, and it takes little time.
  task&& urgent() &&;

  auto operator co_await() && noexcept;

 private:
  friend class scheduler;
  struct last_word;
  struct child;
  explicit task(handle frame) : frame_(frame) {}
  handle frame_;
};

/// A place in the queue of an event. It leaves the queue when it is destroyed.
class waiter {
 public:
  waiter() = default;
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;
  ~waiter();

 private:
  friend class event;
  friend class all;
  task::handle who_;
  std::atomic<int>* missing_ = nullptr;  ///< waiters of the same coroutine that were not called yet
  event* at_ = nullptr;                  ///< whose queue this stands in
  waiter* before_ = nullptr;
  waiter* behind_ = nullptr;
};

/// Happens once, after a number of arrivals; whoever awaits it goes on then, in the order of asking.
///
///     event packed(3);      // three producers
///     packed.arrive();      // each of them, from any thread
///     co_await packed;      // any number of consumers, before or after
class event {
 public:
  /// An event of no arrivals has happened.
  explicit event(int arrivals = 1) : missing_(arrivals) {}
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  ~event();

  /// One arrival, from any thread; after the last the event may be destroyed by who awaited it.
  void arrive();
  bool happened() const;
  /// Makes it as new. Nobody may await it, and nobody else may touch it meanwhile.
  void reset(int arrivals = 1);

  auto operator co_await() noexcept;

 private:
  friend class all;
  friend class waiter;
  class alone;
  /// Queues the waiter, or says that there is nothing to wait for.
  bool enlist(waiter& w);
  void strike(waiter& w);
  void lock() const;
  void unlock() const { locked_.clear(std::memory_order_release); }

  // Held for a few instructions. Letting it go is the last touch of an arrival, so the event may end right after.
  mutable std::atomic_flag locked_;
  int missing_;
  waiter* first_ = nullptr;
  waiter* last_ = nullptr;
};

/// co_await all(a, b, c): goes on when each of the events has happened, with one wake-up.
class all {
 public:
  explicit all(std::vector<event*> events) : events_(std::move(events)) {}
  // gcc 12 takes no list in braces within co_await.
  template <std::same_as<event>... Events>
  explicit all(Events&... events) : all(std::vector<event*>{&events...}) {}
  all(const all&) = delete;
  all& operator=(const all&) = delete;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(task::handle who);
  void await_resume() const noexcept {}

 private:
  std::vector<event*> events_;
  std::vector<waiter> waiters_;
  std::atomic<int> missing_{0};
};

/// Runs the tasks beside each other and ends when all have ended. What leaves one of them ends the scheduler's run
/// and is thrown there, since the others may wait for what the failed one owed.
task when_all(std::vector<task> tasks);

struct task::promise_type {
  scheduler* home = nullptr;
  /// Index among the tasks of a run; of several errors the first in this order is thrown.
  int order = 0;
  bool urgent = false;
  std::uint32_t cause = 0;  ///< of a trace: what made it ready

  task get_return_object() { return task(handle::from_promise(*this)); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  last_word final_suspend() const noexcept;
  void return_void() const {}
  void unhandled_exception() { error = std::current_exception(); }

  std::coroutine_handle<> parent;  ///< who awaits this task
  std::atomic<bool> met{false};    ///< of task and parent, the second to come here goes on with the parent
  event* ended = nullptr;          ///< or what its end means, where it was started beside others
  std::exception_ptr error;
};

/// The end of a task: on to the parent, if that waits already. No symmetric transfer, which gcc turns into a jump
/// only when it optimises: a loop over tasks would fill the stack.
struct task::last_word {
  bool await_ready() const noexcept { return false; }
  void await_suspend(handle self) const noexcept;
  void await_resume() const noexcept {}
};

inline task::last_word task::promise_type::final_suspend() const noexcept { return {}; }

inline task&& task::urgent() && {
  frame_.promise().urgent = true;
  return std::move(*this);
}

struct task::child {
  handle frame;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(handle parent) const {
    promise_type& p = frame.promise();
    p.home = parent.promise().home;
    p.order = parent.promise().order;
    p.parent = parent;
    frame.resume();
    return !p.met.exchange(true, std::memory_order_acq_rel);
  }
  void await_resume() const {
    if (frame.promise().error) std::rethrow_exception(frame.promise().error);
  }
};

inline auto task::operator co_await() && noexcept { return child{frame_}; }

/// What all is for one event, without its allocations.
class event::alone {
 public:
  explicit alone(event& e) : event_(e) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(task::handle who) {
    waiter_.who_ = who;
    waiter_.missing_ = &missing_;
    return event_.enlist(waiter_);
  }
  void await_resume() const noexcept {}

 private:
  event& event_;
  waiter waiter_;
  std::atomic<int> missing_{1};
};

inline auto event::operator co_await() noexcept { return alone(*this); }

}  // namespace rednova::exec
