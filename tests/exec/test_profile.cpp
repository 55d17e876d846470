// The profile: whose time is whose, on one thread and on many.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "exec/for_each.hpp"
#include "exec/profile.hpp"

namespace rednova::exec {
namespace {

using scope = profile::scope;

/// Works for so many seconds of wall time.
void work(double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds) continue;
}

double sum_of(const profile::table& all) {
  return std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const auto& e) { return sum + e.second.seconds; });
}

TEST(profile, own_time_is_without_the_scopes_within) {
  profile p(1);
  {
    const scope outer(p, "outer");
    work(0.01);
    for (int i = 0; i < 2; ++i) {
      const scope inner(p, "inner");
      work(0.02);
      const scope wait(p, "wait", activity::wait);
      work(0.005);
    }
  }
  const double whole = p.seconds();
  const auto times = p.entries();
  EXPECT_EQ(times.at("outer").calls, 1);
  EXPECT_EQ(times.at("inner").calls, 2);
  EXPECT_GE(times.at("outer").seconds, 0.01);
  EXPECT_LE(times.at("outer").seconds, whole - 0.05);
  EXPECT_GE(times.at("inner").seconds, 0.04);
  EXPECT_GE(times.at("wait").seconds, 0.01);
  EXPECT_EQ(times.at("wait").what, activity::wait);
  EXPECT_GE(times.at("inner").longest, 0.025);
  EXPECT_GE(times.at("outer").longest, 0.06);
  EXPECT_LE(sum_of(times), whole);
  const auto [working, waiting] = p.threads().at(0);
  EXPECT_NEAR(working + waiting, sum_of(times), 1e-12);
  EXPECT_NEAR(waiting, times.at("wait").seconds, 1e-12);
}

TEST(profile, equal_names_of_different_addresses_are_one_phase) {
  profile p(1);
  const std::string first = "phase", second = "phase";
  { const scope one(p, first.c_str()); }
  { const scope two(p, second.c_str()); }
  EXPECT_EQ(p.entries().size(), 1U);
  EXPECT_EQ(p.entries().at("phase").calls, 2);
}

TEST(profile, more_names_than_rows_lose_no_time) {
  profile p(1);
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("phase " + std::to_string(i));
  for (const std::string& name : names) const scope one(p, name.c_str());
  std::int64_t calls = 0;
  for (const auto& [name, e] : p.entries()) calls += e.calls;
  EXPECT_EQ(calls, 1000);
}

TEST(profile, a_wait_is_named_when_it_ends) {
  profile p(1);
  {
    scope wait(p, "for nothing", activity::wait);
    wait.was("for a message");
  }
  EXPECT_THAT(p.entries(), testing::ElementsAre(testing::Key("for a message")));
}

TEST(profile, switched_off_it_sees_nothing) {
  profile p(2);
  p.switch_to(profile::detail::nothing);
  { const scope one(p, "one"); }
  EXPECT_TRUE(p.entries().empty());
  EXPECT_EQ(p.threads().at(0)[0], 0);
}

TEST(profile, is_switched_between_steps) {
  profile p(1);
  for (const auto kept : {profile::detail::times, profile::detail::nothing, profile::detail::times}) {
    p.switch_to(kept);
    const scope one(p, "one");
    work(0.01);
  }
  EXPECT_EQ(p.entries().at("one").calls, 2);
  EXPECT_GE(p.entries().at("one").shortest, 0.01);
  EXPECT_LE(p.entries().at("one").shortest, p.entries().at("one").longest);
  EXPECT_LT(p.entries().at("one").seconds, 0.75 * p.seconds());
}

TEST(profile, begins_anew) {
  profile p(1);
  { const scope one(p, "one"); }
  p.add("kernel", 1.5);
  p.add("kernel", 0.5);
  EXPECT_EQ(p.elsewhere().at("kernel").seconds, 2.0);
  EXPECT_EQ(p.elsewhere().at("kernel").shortest, 0.5);
  p.clear();
  EXPECT_TRUE(p.entries().empty());
  EXPECT_TRUE(p.elsewhere().empty());
  EXPECT_LT(p.seconds(), 1.0);
}

/// A rank that hangs, or is long in one phase, says in what.
TEST(profile, an_open_scope_has_its_time_so_far) {
  profile p(1);
  const scope outer(p, "outer");
  work(0.01);
  {
    const scope hangs(p, "hangs", activity::wait);
    work(0.03);
    const auto now = p.entries();
    EXPECT_GE(now.at("hangs").seconds, 0.03);
    EXPECT_EQ(now.at("hangs").what, activity::wait);
    EXPECT_EQ(now.at("hangs").calls, 0) << "calls that have ended";
    EXPECT_GE(p.threads().at(0)[1], 0.03);
    EXPECT_LE(sum_of(p.entries()), p.seconds());
  }
  work(0.02);
  const auto later = p.entries();
  EXPECT_GE(later.at("outer").seconds, 0.02) << "since it is the innermost again";
  EXPECT_LT(later.at("hangs").seconds, p.seconds() - 0.03);
}

/// Each thread's time in a loop is its own, and a reader meanwhile sees calls that only grow, and of seconds no more
/// than have passed.
TEST(profile, threads_have_tables_of_their_own) {
  context context(3);
  context.times().clear();
  std::atomic<bool> over{false};
  bool grows = true;
  std::thread reader([&] {
    std::int64_t last = 0;
    while (!over) {
      const profile::table all = context.times().entries();
      std::int64_t now = 0;
      for (const auto& [name, e] : all) now += e.calls;
      grows = grows && now >= last && sum_of(all) <= 3 * context.times().seconds();
      last = now;
    }
  });
  for (int i = 0; i < 20; ++i) for_each(context, "loop", 60, [](int) { work(1e-4); });
  over = true;
  reader.join();
  EXPECT_TRUE(grows);
  const double whole = context.times().seconds();
  const auto loop = context.times().entries().at("loop");
  EXPECT_GE(loop.seconds, 20 * 60 * 1e-4);
  EXPECT_LE(loop.seconds, 3 * whole);
  EXPECT_LE(context.times().waiting(), whole);
  double threads = 0;
  for (const auto& [working, waiting] : context.times().threads()) {
    EXPECT_LE(working, whole);
    threads += working;
  }
  EXPECT_NEAR(threads, loop.seconds, 1e-12);
}

/// Of a thread's time, what has no name.
double unnamed(const profile& p, std::size_t slot) {
  const double whole = p.seconds();
  const auto [working, waiting] = p.threads().at(slot);
  return whole - working - waiting - p.idle().at(slot);
}

TEST(profile, threads_are_idle_until_they_are_asked) {
  context c(2);
  if (c.threads() < 2) GTEST_SKIP() << "one core";
  for_each(c, "before", 100, [](int) { work(1e-4); });
  c.times().clear();
  EXPECT_GE(c.times().idle().at(1), 0);
  EXPECT_EQ(c.times().idle().at(0), 0) << "the main thread has the program to run";
  work(0.02);
  EXPECT_GE(c.times().idle().at(1), 0.02) << "it has not been asked";
  // Until the other thread has taken its part.
  while (!c.times().entries().contains(phases::idle)) for_each(c, "loop", 40, [](int) { work(1e-3); });
  const auto times = c.times().entries();
  EXPECT_GE(times.at(phases::idle).seconds, 0.02);
  EXPECT_EQ(times.at(phases::idle).what, activity::wait);
  EXPECT_EQ(times.at(phases::waking_up).calls, times.at(phases::idle).calls);
  EXPECT_LT(unnamed(c.times(), 1), 0.01 * c.times().seconds());
}

/// Else the test of how much has a name could not fail.
TEST(profile, what_a_thread_does_outside_of_scopes_has_no_name) {
  context c(2);
  if (c.threads() < 2) GTEST_SKIP() << "one core";
  c.times().clear();
  std::atomic<int> slot{0};
  c.arena().enqueue([&] {
    const int here = oneapi::tbb::this_task_arena::current_thread_index();
    const std::int64_t asked = c.times().now();
    { const scope first(c.times(), "first", asked); }
    work(0.02);
    { const scope second(c.times(), "second"); }
    { const scope third(c.times(), "third", asked); }
    slot = here;
  });
  while (slot == 0) continue;
  // Two clocks: that of the work, and the profile's, which counts ticks.
  EXPECT_GE(unnamed(c.times(), 1), 0.019);
}

}  // namespace
}  // namespace rednova::exec
