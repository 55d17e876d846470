#include "exec/scheduler.hpp"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "exec/patience.hpp"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace rednova::exec {

namespace {

// oneTBB is not instrumented: how it hands a helper to a thread has to be told to the thread sanitizer.
#if defined(__SANITIZE_THREAD__)
#define HELPER __attribute__((no_sanitize("thread")))
struct hand_over {
  static void give(void* what) { __tsan_release(what); }
  static void take(void* what) { __tsan_acquire(what); }
};
#else
#define HELPER
struct hand_over {
  static void give(void*) {}
  static void take(void*) {}
};
#endif

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

scheduler::scheduler(context& context, mode m, const char* phase)
    : context_(&context), phase_(phase), most_helpers_(m == mode::serial ? 0 : context.threads() - 1) {}

// A helper may wake late, when the run is over.
scheduler::~scheduler() {
  for (;;) {
    {
      const std::scoped_lock lock(guard_);
      if (helpers_ == 0) return;
    }
    std::this_thread::yield();
  }
}

std::optional<task::handle> scheduler::next() {
  std::deque<task::handle>& from = urgent_.empty() ? ready_ : urgent_;
  if (from.empty()) return {};
  const task::handle first = from.front();
  from.pop_front();
  return first;
}

void scheduler::resume(task::handle ready, std::int64_t asked) {
  {
    const task::promise_type& p = ready.promise();
    const profile::task_scope timed(context_->times(), p.cause, p.order, phase_, asked);
    ready.resume();
  }
  unfinished_.fetch_sub(1, std::memory_order_acq_rel);
}

bool scheduler::run_one() {
  std::optional<task::handle> first;
  {
    const std::scoped_lock lock(guard_);
    first = next();
  }
  if (first) resume(*first, 0);
  return first.has_value();
}

void scheduler::help(std::int64_t asked) {
  for (;;) {
    std::optional<task::handle> first;
    {
      const std::scoped_lock lock(guard_);
      first = next();
      if (!first) {
        --helpers_;
        return;
      }
    }
    resume(*first, std::exchange(asked, profile::from_task));
  }
}

bool scheduler::nothing_ready() {
  const std::scoped_lock lock(guard_);
  return ready_.empty() && urgent_.empty();
}

void scheduler::enqueue(task::handle ready) {
  ready.promise().cause = context_->times().running();
  unfinished_.fetch_add(1, std::memory_order_acq_rel);
  bool summon = false;
  {
    const std::scoped_lock lock(guard_);
    (ready.promise().urgent ? urgent_ : ready_).push_back(ready);
    summon = helpers_ < most_helpers_;
    if (summon) ++helpers_;
  }
  if (!summon) return;
  hand_over::give(this);
  context_->arena().enqueue([this, asked = context_->times().now()]() HELPER {
    hand_over::take(this);
    help(asked);
  });
}

void scheduler::start(task& t, int order, event& ended) {
  task::promise_type& p = t.frame_.promise();
  p.home = this;
  p.order = order;
  p.ended = &ended;
  enqueue(t.frame_);
}

void scheduler::failed(int order, std::exception_ptr error) {
  const std::scoped_lock lock(error_guard_);
  if (error_ && error_order_ <= order) return;
  error_ = std::move(error);
  error_order_ = order;
  failing_.store(true, std::memory_order_release);
}

bool scheduler::over(const event& ended, const poller* polled) const {
  // Nothing ready and nothing running, so nothing that could make another ready, but what is polled.
  if (unfinished_.load(std::memory_order_acquire) != 0) return false;
  return ended.happened() || failing_.load(std::memory_order_acquire) || polled == nullptr;
}

void scheduler::loop(const event& ended, poller* polled) {
  // One scope of all looks for messages, which are as many as the tasks and as short as a look at the clock.
  const profile::scope all(context_->times(), phases::loop);
  std::optional<clock::time_point> since;
  std::optional<profile::scope> timed;
  patience rest;
  while (!over(ended, polled)) {
    const bool news = polled != nullptr && !failing_.load(std::memory_order_acquire) && polled->progress();
    if (since && (news || !nothing_ready())) {
      const double waited = seconds_between(*since, clock::now());
      if (news) polled->waited(waited);
      timed->was(news ? phases::wait_for_messages : phases::wait_for_threads);
      timed.reset();
      since.reset();
      rest = {};
    }
    if (run_one() || news) continue;
    if (!since) {
      // First the scope, so that it holds all that is told to who is polled, however late this thread goes on.
      timed.emplace(context_->times(), phases::wait_for_threads, activity::wait);
      since = clock::now();
    }
    // For who looks meanwhile: no thread is at a task that could make another ready.
    if (polled != nullptr && unfinished_.load(std::memory_order_relaxed) == 0) timed->was(phases::wait_for_messages);
    const double waited = seconds_between(*since, clock::now());
    if (rest.pause(waited) && polled != nullptr) polled->idle(waited);
  }
  if (timed) timed->was(phases::wait_for_threads);  // the last task has ended on another
}

void scheduler::start_all(std::vector<task>& tasks, event& ended) {
  profile& times = context_->times();
  const profile::scope timed(times, phases::task_lists);
  // Of a trace: what runs them makes these ready, or what ended the tasks before.
  const std::uint32_t outer = times.running();
  if (outer == 0) times.set_running(times.last_task());
  int order = 0;
  for (task& t : tasks) start(t, order++, ended);
  times.set_running(outer);
}

void scheduler::run(std::vector<task> tasks, poller* polled) {
  event ended(static_cast<int>(tasks.size()));
  error_ = nullptr;
  failing_ = false;
  context_->arena().execute([&] {
    start_all(tasks, ended);
    try {
      loop(ended, polled);
    } catch (...) {
      failed(-1, std::current_exception());
      loop(ended, nullptr);
    }
  });
  // Those that wait leave their queues while the events that they wait for are alive.
  const bool all_ended = ended.happened();
  {
    const profile::scope timed(context_->times(), phases::task_lists);
    tasks.clear();
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  if (!all_ended) throw std::logic_error("tasks wait for events that none of them brings about");
}

}  // namespace rednova::exec
