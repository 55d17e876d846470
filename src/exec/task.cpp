#include "exec/task.hpp"

#include <thread>

#include "core/check.hpp"
#include "exec/scheduler.hpp"

namespace rednova::exec {

void event::lock() const {
  constexpr int tries = 64;
  for (int n = 0; locked_.test_and_set(std::memory_order_acquire); ++n) {
    // The holder may have lost its core.
    if (n >= tries) std::this_thread::yield();
  }
}

void event::arrive() {
  waiter* called = nullptr;
  lock();
  const bool owed = missing_ > 0;
  if (owed && --missing_ == 0) {
    called = std::exchange(first_, nullptr);
    last_ = nullptr;
    for (waiter* w = called; w != nullptr; w = w->behind_) w->at_ = nullptr;
  }
  unlock();
  EXPECT(owed);
  while (called != nullptr) {
    // The coroutine that goes on may destroy its waiters at once.
    const task::handle who = called->who_;
    std::atomic<int>& missing = *called->missing_;
    called = called->behind_;
    if (missing.fetch_sub(1, std::memory_order_acq_rel) == 1) who.promise().home->enqueue(who);
  }
}

bool event::happened() const {
  lock();
  const bool so = missing_ == 0;
  unlock();
  return so;
}

void event::reset(int arrivals) {
  EXPECT(first_ == nullptr && arrivals >= 0);
  missing_ = arrivals;
}

bool event::enlist(waiter& w) {
  lock();
  const bool wait = missing_ > 0;
  if (wait) {
    w.at_ = this;
    w.before_ = last_;
    (last_ != nullptr ? last_->behind_ : first_) = &w;
    last_ = &w;
  }
  unlock();
  return wait;
}

void event::strike(waiter& w) {
  lock();
  (w.before_ != nullptr ? w.before_->behind_ : first_) = w.behind_;
  (w.behind_ != nullptr ? w.behind_->before_ : last_) = w.before_;
  unlock();
}

// Both ends of a queue may go first when tasks are destroyed that wait for each other.
event::~event() {
  for (waiter* w = first_; w != nullptr; w = w->behind_) w->at_ = nullptr;
}

// A coroutine is only destroyed while it waits if nothing else runs: no arrival is under way.
waiter::~waiter() {
  if (at_ != nullptr) at_->strike(*this);
}

bool all::await_suspend(task::handle who) {
  const profile::scope timed(who.promise().home->times(), phases::noting);
  waiters_ = std::vector<waiter>(events_.size());
  // One more than there are events, so that nobody goes on before the last is enlisted.
  missing_.store(static_cast<int>(events_.size()) + 1, std::memory_order_relaxed);
  int happened = 1;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    waiters_[i].who_ = who;
    waiters_[i].missing_ = &missing_;
    if (!events_[i]->enlist(waiters_[i])) ++happened;
  }
  return missing_.fetch_sub(happened, std::memory_order_acq_rel) != happened;
}

void task::last_word::await_suspend(handle self) const noexcept {
  promise_type& p = self.promise();
  if (p.ended != nullptr) {
    if (p.error) p.home->failed(p.order, p.error);
    p.ended->arrive();
  } else if (p.met.exchange(true, std::memory_order_acq_rel)) {
    p.parent.resume();
  }
}

namespace {

/// co_await gives the coroutine's own scheduler and place, and does not suspend.
struct own_promise {
  task::promise_type* mine = nullptr;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(task::handle self) {
    mine = &self.promise();
    return false;
  }
  task::promise_type& await_resume() const noexcept { return *mine; }
};

}  // namespace

task when_all(std::vector<task> tasks) {
  event ended(static_cast<int>(tasks.size()));
  const task::promise_type& mine = co_await own_promise{};
  for (task& t : tasks) mine.home->start(t, mine.order, ended);
  co_await ended;
}

}  // namespace rednova::exec
