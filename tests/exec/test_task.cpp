// Coroutines: order, waiting, errors, and that nothing is lost among threads.
#include "exec/task.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "exec/scheduler.hpp"

using namespace rednova;
using exec::event;
using exec::scheduler;
using exec::task;

namespace {

class on_threads : public testing::TestWithParam<int> {
 protected:
  exec::context context_{GetParam()};
  scheduler run_{context_};
};

INSTANTIATE_TEST_SUITE_P(threads, on_threads, testing::Values(1, 2, 4));

task append(std::string& to, char message, event* before) {
  if (before != nullptr) co_await *before;
  to += message;
}

task append_and_arrive(std::string& to, char message, event& ended) {
  to += message;
  ended.arrive();
  co_return;
}

template <class... Tasks>
std::vector<task> list(Tasks&&... tasks) {
  std::vector<task> result;
  (result.push_back(std::forward<Tasks>(tasks)), ...);
  return result;
}

TEST(serial, runs_from_first_to_last) {
  exec::context context(4);
  scheduler run(context, scheduler::mode::serial);
  std::string order;
  event e;
  run.run(list(append(order, 'c', &e), append(order, 'd', &e), append(order, 'a', nullptr),
               append_and_arrive(order, 'b', e), append(order, 'D', &e)));
  // Waiters go on behind those that were ready before them, in the order in which they asked.
  EXPECT_EQ(order, "abDcd");
}

TEST(serial, urgent_tasks_go_first) {
  exec::context context(1);
  scheduler run(context, scheduler::mode::serial);
  std::string order;
  event e;
  run.run(list(append(order, 'B', &e), append(order, 'A', &e).urgent(), append(order, 'c', nullptr),
               append_and_arrive(order, 'b', e), append(order, 'd', nullptr), append(order, 'a', nullptr).urgent()));
  EXPECT_EQ(order, "acbAdB");
}

TEST(serial, stays_on_the_calling_thread) {
  exec::context context(4);
  scheduler run(context, scheduler::mode::serial);
  std::vector<std::thread::id> seen;
  const auto note = [](std::vector<std::thread::id>& to) -> task {
    to.push_back(std::this_thread::get_id());
    co_return;
  };
  std::vector<task> tasks;
  for (int i = 0; i < 50; ++i) tasks.push_back(note(seen));
  run.run(std::move(tasks));
  EXPECT_EQ(seen, std::vector<std::thread::id>(50, std::this_thread::get_id()));
}

TEST_P(on_threads, event_waits_for_all_arrivals_and_serves_all_waiters) {
  constexpr int producers = 20, consumers = 30;
  std::atomic<int> produced{0}, wrong{0};
  event e(producers);
  const auto produce = [&]() -> task {
    ++produced;
    e.arrive();
    co_return;
  };
  const auto consume = [&]() -> task {
    co_await e;
    if (produced != producers) ++wrong;
  };
  std::vector<task> tasks;
  for (int i = 0; i < consumers; ++i) tasks.push_back(consume());
  for (int i = 0; i < producers; ++i) tasks.push_back(produce());
  for (int i = 0; i < consumers; ++i) tasks.push_back(consume());
  run_.run(std::move(tasks));
  EXPECT_EQ(wrong, 0);
  e.reset(1);
  EXPECT_FALSE(e.happened());
  e.arrive();
  EXPECT_TRUE(e.happened());
  EXPECT_THROW(e.arrive(), std::logic_error);
}

TEST_P(on_threads, all_waits_for_each_of_several) {
  std::array<event, 3> e;
  bool seen = false;
  const auto consume = [&]() -> task {
    co_await exec::all(e[0], e[1], e[2]);
    seen = e[0].happened() && e[1].happened() && e[2].happened();
    co_await exec::all();
    co_await exec::all(e[2], e[1]);  // these have happened
  };
  const auto produce = [&](int i) -> task {
    e[static_cast<std::size_t>(i)].arrive();
    co_return;
  };
  run_.run(list(consume(), produce(1), produce(0), produce(2)));
  EXPECT_TRUE(seen);
}

/// Sums 1 over the leaves of a binary tree of tasks, children alternately awaited and started beside each other.
task tree_sum(int depth, std::atomic<int>& leaves) {
  if (depth == 0) {
    ++leaves;
    co_return;
  }
  if (depth % 2 == 0) {
    co_await tree_sum(depth - 1, leaves);
    co_await tree_sum(depth - 1, leaves);
  } else {
    std::vector<task> both;
    both.push_back(tree_sum(depth - 1, leaves));
    both.push_back(tree_sum(depth - 1, leaves));
    co_await exec::when_all(std::move(both));
  }
}

TEST_P(on_threads, tasks_nest) {
  std::atomic<int> leaves{0};
  run_.run(list(tree_sum(12, leaves)));
  EXPECT_EQ(leaves, 1 << 12);
}

TEST_P(on_threads, a_loop_of_tasks_does_not_fill_the_stack) {
  const auto nothing = []() -> task { co_return; };
  const auto loop = [&]() -> task {
    for (int i = 0; i < 1000000; ++i) co_await nothing();
  };
  run_.run(list(loop()));
}

TEST_P(on_threads, an_awaited_task_throws_to_its_parent) {
  bool caught = false;
  const auto fail = []() -> task {
    throw std::runtime_error("expected");
    co_return;
  };
  const auto parent = [&]() -> task {
    try {
      co_await fail();
    } catch (const std::runtime_error&) {
      caught = true;
    }
  };
  run_.run(list(parent()));
  EXPECT_TRUE(caught);
}

TEST_P(on_threads, the_first_error_in_order_leaves_the_run_and_waiting_tasks_are_destroyed) {
  event never;
  std::atomic<int> alive{0};
  struct counted {
    std::atomic<int>& n;
    explicit counted(std::atomic<int>& count) : n(count) { ++n; }
    ~counted() { --n; }
  };
  const auto wait = [&]() -> task {
    const counted here(alive);
    co_await exec::all(never);
  };
  const auto nest = [&]() -> task {
    const counted here(alive);
    std::vector<task> both;
    both.push_back(wait());
    both.push_back(wait());
    co_await exec::when_all(std::move(both));
  };
  const auto fail = [](const char* what) -> task {
    throw std::runtime_error(what);
    co_return;
  };
  const auto fail_within = [&](const char* what) -> task {
    std::vector<task> one;
    one.push_back(fail(what));
    co_await exec::when_all(std::move(one));
  };
  try {
    run_.run(list(wait(), nest(), fail_within("first"), fail("second")));
    FAIL() << "no error left the run";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "first");
  }
  EXPECT_EQ(alive, 0);
  never.arrive();  // nobody waits any more
  std::string order;
  run_.run(list(append(order, 'x', nullptr)));  // the scheduler can be used again
  EXPECT_EQ(order, "x");
}

TEST_P(on_threads, a_circle_of_waiting_tasks_is_an_error) {
  event a, b;
  const auto wait = [](event& first, event& second) -> task {
    co_await first;
    second.arrive();
  };
  EXPECT_THROW(run_.run(list(wait(a, b), wait(b, a))), std::logic_error);
}

/// Lets an event happen at the n-th look at it.
class slow_message : public exec::poller {
 public:
  explicit slow_message(int looks) : looks_(looks) {}
  bool progress() override {
    if (looks_ == 0) return false;
    --looks_;
    if (looks_ > 0) return false;
    arrival.arrive();
    return true;
  }
  void idle(double seconds) override {
    if (seconds > limit) throw std::runtime_error("nothing came");
  }
  void waited(double seconds) override { wait += seconds; }

  event arrival;
  double limit = 60;
  double wait = 0;

 private:
  int looks_;
};

TEST_P(on_threads, messages_are_polled_while_tasks_run) {
  slow_message message(50);
  bool came = false;
  const auto receive = [&]() -> task {
    co_await message.arrival;
    came = true;
  };
  run_.run(list(receive()), &message);
  EXPECT_TRUE(came);
  EXPECT_GT(message.wait, 0);
  const auto times = context_.times().entries();
  EXPECT_EQ(times.at(exec::phases::wait_for_messages).what, exec::activity::wait);
  EXPECT_GE(times.at(exec::phases::wait_for_messages).seconds, 0.9 * message.wait);
}

TEST_P(on_threads, whoever_polls_may_end_a_wait_that_takes_too_long) {
  slow_message message(0);
  message.limit = 0.01;
  EXPECT_THROW(run_.run(list([](event& e) -> task { co_await e; }(message.arrival)), &message), std::runtime_error);
}

TEST_P(on_threads, nothing_is_lost_among_many_short_tasks) {
  // Task i waits for i-1 of the layer before and its neighbours: the pattern of the step, 200 layers deep.
  constexpr int width = 50, layers = 200;
  std::vector<event> done(static_cast<std::size_t>(width * layers));
  std::vector<int> value(done.size(), 0);
  const auto at = [](int layer, int i) { return static_cast<std::size_t>(layer * width + (i + width) % width); };
  const auto column = [&](int i) -> task {
    for (int layer = 0; layer < layers; ++layer) {
      if (layer > 0) {
        co_await exec::all(done[at(layer - 1, i - 1)], done[at(layer - 1, i)], done[at(layer - 1, i + 1)]);
        value[at(layer, i)] =
            1 + std::max({value[at(layer - 1, i - 1)], value[at(layer - 1, i)], value[at(layer - 1, i + 1)]});
      }
      done[at(layer, i)].arrive();
    }
  };
  std::vector<task> tasks;
  for (int i = 0; i < width; ++i) tasks.push_back(column(i));
  run_.run(std::move(tasks));
  for (int i = 0; i < width; ++i) EXPECT_EQ(value[at(layers - 1, i)], layers - 1);
  const exec::profile::table times = context_.times().entries();
  EXPECT_GE(times.at(exec::phases::task).calls, width);
  EXPECT_EQ(times.at(exec::phases::task_lists).calls, 2) << "a start and an end";
}

TEST_P(on_threads, loops_of_threads_run_within_tasks) {
  std::atomic<int> sum{0};
  const auto work = [&]() -> task {
    exec::for_each(context_, "loop", 100, [&](int i) { sum += i; });
    co_return;
  };
  run_.run(list(work(), work(), work()));
  EXPECT_EQ(sum, 3 * 4950);
  EXPECT_GE(context_.times().entries().at("loop").calls, 3);
}

TEST_P(on_threads, other_threads_may_bring_about_events) {
  slow_message message(0);  // an open door for what comes from outside
  event e;
  std::thread outside([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    e.arrive();
  });
  run_.run(list([](event& waited_for) -> task { co_await waited_for; }(e)), &message);
  outside.join();
}

}  // namespace
