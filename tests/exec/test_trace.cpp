// What threads note of their scopes, tasks and messages where a trace is on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "drained.hpp"
#include "exec/run.hpp"

namespace rednova::exec {
namespace {

using kind = trace_record::kind;

std::vector<noted> named(const std::vector<noted>& all, const std::string& name) {
  std::vector<noted> some;
  for (const noted& n : all)
    if (n.name == name) some.push_back(n);
  return some;
}

void rest() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

TEST(trace, has_scopes_with_their_times_but_no_short_ones) {
  context c(1);
  { const profile::scope before(c.times(), "before"); }
  EXPECT_TRUE(drained(c).empty()) << "no trace is on";
  c.times().start_trace();
  {
    const profile::scope outer(c.times(), "outer");
    {
      const profile::scope inner(c.times(), "inner", activity::wait);
      rest();
    }
    const profile::scope nothing(c.times(), "short");
  }
  const std::vector<noted> all = drained(c);
  ASSERT_EQ(all.size(), 2U);
  const trace_record &inner = all[0].record, &outer = all[1].record;
  EXPECT_EQ(all[0].name, "inner");
  EXPECT_EQ(inner.what, kind::wait);
  EXPECT_EQ(outer.what, kind::work);
  EXPECT_EQ(inner.depth, 1);
  EXPECT_EQ(outer.depth, 0);
  EXPECT_GE(inner.start, outer.start);
  EXPECT_LE(inner.end, outer.end);
  EXPECT_GE(inner.end - inner.start, 200'000);
  EXPECT_EQ(inner.id, 0U);
  EXPECT_TRUE(drained(c).empty()) << "each record comes once";
}

/// A scope that was open when the trace began is in it, too.
TEST(trace, is_switched_between_steps) {
  context c(1);
  profile& p = c.times();
  p.switch_to(profile::detail::records);
  EXPECT_FALSE(p.traced()) << "no trace was started";
  {
    const profile::scope open(p, "open");
    p.start_trace();
    rest();
  }
  EXPECT_EQ(drained(c).size(), 1U);
  for (const auto kept : {profile::detail::times, profile::detail::nothing}) {
    p.switch_to(kept);
    { const profile::task_scope task(p, 0, 0); }
    const profile::scope outer(p, "outer");
    rest();
    EXPECT_EQ(p.running(), 0U);
  }
  EXPECT_TRUE(drained(c).empty());
  p.switch_to(profile::detail::records);
  { const profile::task_scope task(p, 0, 0); }
  EXPECT_EQ(drained(c).size(), 1U);
}

TEST(trace, has_what_a_device_did_after_the_threads) {
  context c(2);
  c.times().start_trace();
  const std::string kernel = "hydro::update";  // may go before the profile does
  c.times().note_on_device(1, kernel, 50, 80, 7);
  c.times().note_on_device(0, "copy", 10, 20, 0);
  c.times().note_on_device(1, std::string(kernel), 90, 95, 8);
  const std::vector<noted> all = drained(c);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "copy");
  EXPECT_EQ(all[0].slot, 2);
  EXPECT_EQ(all[1].slot, 3);
  EXPECT_EQ(all[1].name, kernel);
  EXPECT_EQ(all[1].record.cause, 7U);
  EXPECT_EQ(all[2].record.start, 90);
  EXPECT_EQ(all[2].name, kernel);
  EXPECT_TRUE(drained(c).empty()) << "each record comes once";
}

/// The second task waits for what the first brings about.
TEST(trace, knows_what_made_a_task_ready) {
  for (const int threads : {1, 3}) {
    context c(threads);
    c.times().start_trace();
    event done;
    const auto first = [](event& e) -> task {
      rest();
      e.arrive();
      co_return;
    };
    const auto second = [](event& e) -> task {
      co_await e;
      rest();
    };
    std::vector<task> tasks;
    tasks.push_back(second(done));
    tasks.push_back(first(done));
    run_tasks(c, std::move(tasks));
    std::map<int, std::vector<trace_record>> by_number;
    for (const noted& n : named(drained(c), phases::task)) by_number[n.record.other].push_back(n.record);
    ASSERT_EQ(by_number[1].size(), 1U);
    const trace_record& maker = by_number[1][0];
    EXPECT_NE(maker.id, 0U);
    ASSERT_FALSE(by_number[0].empty());
    // They come by threads, and the task may go on with a thread that comes before the one it began with.
    const trace_record& last = *std::ranges::max_element(by_number[0], {}, &trace_record::start);
    // On three threads the event may have happened before the second task asks.
    if (by_number[0].size() == 2) {
      EXPECT_EQ(last.cause, maker.id);
    }
    if (threads == 1) {
      EXPECT_EQ(by_number[0].size(), 2U);
    }
    EXPECT_NE(last.id, maker.id);

    // A list of tasks is made ready by what was last in the one before.
    const std::uint32_t before = c.times().last_task();
    std::vector<task> more;
    event ready(0);
    more.push_back(second(ready));
    run_tasks(c, std::move(more));
    const std::vector<noted> all = named(drained(c), phases::task);
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all[0].record.cause, before);
  }
}

/// A wait on the task's own thread: what comes after it is made ready by what was awaited.
TEST(trace, has_a_task_that_waits_in_two_parts) {
  context c(1);
  profile& p = c.times();
  p.start_trace();
  const auto wait = [&p](std::uint32_t message) {
    profile::task_wait until(p);
    {
      const profile::scope waits(p, "wait", activity::wait);
      rest();
    }
    until.ended_by(message);
  };
  wait(76);  // at no task
  {
    const profile::task_scope outer(p, 5, -1, "outer");
    rest();
    {
      const profile::task_scope task(p, p.running(), 3);
      const std::uint32_t first = p.running();
      rest();
      wait(77);
      EXPECT_NE(p.running(), first);
      rest();
    }
    wait(78);
    EXPECT_NE(p.running(), 0U);
  }
  EXPECT_EQ(p.running(), 0U);
  const std::vector<noted> all = drained(c);
  std::vector<std::uint32_t> causes;
  std::vector<std::string> names;
  for (const noted& n : all) {
    names.push_back(n.name);
    causes.push_back(n.record.cause);
  }
  EXPECT_THAT(names, testing::ElementsAre("wait", phases::task, "wait", phases::task, "outer", "wait", "outer"));
  EXPECT_THAT(causes, testing::ElementsAre(0U, all[4].record.id, 0U, 77U, 5U, 0U, 78U));
  EXPECT_EQ(all[3].record.other, 3);
  EXPECT_LE(all[1].record.end, all[2].record.start);
  EXPECT_LE(all[2].record.end, all[3].record.start);
  const auto times = p.entries();
  EXPECT_EQ(times.at(phases::task).calls, 2);
  EXPECT_EQ(times.at("outer").calls, 2);
  double sum = 0;
  for (const auto& [name, e] : times) sum += e.seconds;
  EXPECT_LE(sum, p.seconds()) << "no time counts twice";
}

/// Whole tasks are noted or not: what they do, what they launch, what they make ready.
TEST(trace, of_a_share_of_tasks_has_those_alone) {
  constexpr int number = 4000;
  constexpr double share = 0.25;
  context c(2);
  c.times().start_trace(share);
  EXPECT_TRUE(c.times().traced());
  EXPECT_FALSE(c.times().notes_messages());
  const auto one = [](context& on) -> task {
    on.times().note_on_device(0, "kernel", 1, 2, on.times().running());
    const profile::scope inner(on.times(), "inner");
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::nanoseconds(profile::shortest_traced)) continue;
    co_return;
  };
  std::vector<task> tasks;
  for (int n = 0; n < number; ++n) tasks.push_back(one(c));
  {
    const profile::scope outer(c.times(), "outer");
    run_tasks(c, std::move(tasks));
  }
  const std::vector<noted> all = drained(c);
  const std::vector<noted> noted_tasks = named(all, phases::task);
  // Of a binomial distribution: less than 1e-6 lies farther from the mean than five standard deviations.
  EXPECT_NEAR(static_cast<double>(noted_tasks.size()), number * share, 5 * std::sqrt(number * share * (1 - share)));
  EXPECT_EQ(named(all, "inner").size(), noted_tasks.size());
  EXPECT_EQ(named(all, "kernel").size(), noted_tasks.size());
  EXPECT_EQ(named(all, "outer").size(), 1U) << "what lies outside of tasks is noted";
  std::map<std::uint32_t, int> ids;
  for (const noted& n : noted_tasks) ++ids[n.record.id];
  EXPECT_EQ(ids.count(0), 0U);
  EXPECT_EQ(ids.size(), noted_tasks.size());
  for (const noted& n : named(all, "kernel")) EXPECT_EQ(ids.count(n.record.cause), 1U);
  EXPECT_EQ(c.times().entries().at("inner").calls, number) << "the profile has them all";
}

TEST(trace, notes_messages_with_number_and_bytes) {
  context c(1);
  c.times().start_trace();
  const std::uint32_t id = c.times().note_message(kind::sent, "ghosts", 3, 17, std::size_t{1} << 20U, 5);
  const std::vector<noted> all = drained(c);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "ghosts");
  const trace_record& r = all[0].record;
  EXPECT_TRUE(r.message());
  EXPECT_EQ(r.id, id);
  EXPECT_EQ(r.cause, 5U);
  EXPECT_EQ(r.other, 3);
  EXPECT_EQ(r.number(), 17U);
  EXPECT_EQ(r.bytes(), std::uint64_t{1} << 20U);
}

TEST(trace, counts_what_finds_no_room) {
  trace_ring ring;
  trace_record r{};
  for (std::size_t i = 0; i < trace_ring::size + 5; ++i) {
    r.start = static_cast<std::int64_t>(i);
    ring.push(r);
  }
  EXPECT_EQ(ring.lost(), 5);
  std::int64_t next = 0;
  const auto take = [&](std::span<const trace_record> all) {
    for (const trace_record& one : all) EXPECT_EQ(one.start, next++);
  };
  ring.drain(ring.written(), take);
  EXPECT_EQ(next, static_cast<std::int64_t>(trace_ring::size));
  r.start = next;
  ring.push(r);
  ring.push(r);
  std::size_t more = 0;
  ring.drain(ring.written(), [&](std::span<const trace_record> all) { more += all.size(); });
  EXPECT_EQ(more, 2U);
  EXPECT_EQ(ring.lost(), 5);
}

/// One thread writes, another reads: nothing is lost, and nothing comes twice or out of order.
TEST(trace, ring_passes_records_from_thread_to_thread) {
  trace_ring ring;
  constexpr std::int64_t count = 200'000;
  std::int64_t next = 0;
  bool in_order = true;
  std::thread writer([&] {
    trace_record r{};
    for (std::int64_t i = 0; i < count;) {
      r.start = i;
      const std::int64_t lost = ring.lost();
      ring.push(r);
      if (ring.lost() == lost) ++i;
    }
  });
  while (next < count) {
    ring.drain(ring.written(), [&](std::span<const trace_record> all) {
      for (const trace_record& one : all) in_order = in_order && one.start == next++;
    });
  }
  writer.join();
  EXPECT_TRUE(in_order);
}

}  // namespace
}  // namespace rednova::exec
