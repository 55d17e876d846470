// The clock of profile and trace: never backwards, at the steady clock's rate, and the steady clock itself where the
// system does not trust the processor's counter.
#include "exec/tick_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/check.hpp"
#include "exec/profile.hpp"

namespace rednova::exec {
namespace {

using source = tick_clock::source;

std::vector<source> sources() {
  if (tick_clock::trusted()) return {source::counter, source::steady};
  return {source::steady};
}

void rest(std::int64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

TEST(tick_clock, never_goes_back_in_a_thread) {
  for (const source from : sources()) {
    const tick_clock c(from);
    std::int64_t last = c.now(), first = last;
    int backwards = 0;
    for (int i = 0; i < 1'000'000; ++i) {
      const std::int64_t now = c.now();
      if (now < last) ++backwards;
      last = now;
    }
    EXPECT_EQ(backwards, 0) << c.name();
    EXPECT_GT(last, first);
  }
}

/// What a thread reads after it has seen another's reading is not earlier, on whatever cores they run.
TEST(tick_clock, never_goes_back_from_thread_to_thread) {
  for (const source from : sources()) {
    const tick_clock c(from);
    std::atomic<std::int64_t> latest{c.ordered()};
    std::atomic<int> backwards{0}, met{0};
    const std::int64_t until = steady_ns() + 30'000'000'000;
    const auto pass_on = [&] {
      std::int64_t own = 0;
      // Until they have met often enough: on a machine that is busy they may run one after another for long.
      for (int i = 0; (i < 100'000 || met < 200) && steady_ns() < until; ++i) {
        std::int64_t seen = latest.load(std::memory_order_acquire);
        const std::int64_t now = c.ordered();
        if (now < seen) ++backwards;
        if (seen != own) ++met;
        own = now;
        while (seen < now && !latest.compare_exchange_weak(seen, now, std::memory_order_acq_rel)) continue;
      }
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(pass_on);
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(backwards, 0) << c.name();
    EXPECT_GE(met, 200) << "they have run one after another";
  }
}

/// A rate from 10 ms and two readings that are off by some 20 ns each has an error of 4e-6.
TEST(tick_clock, has_the_rate_of_the_steady_clock) {
  for (const source from : sources()) {
    const tick_clock c(from);
    const clock_reading begin = clock_reading::now(c);
    rest(300);
    const clock_reading end = clock_reading::now(c);
    EXPECT_NEAR(1e9 * c.seconds(end.ticks - begin.ticks) / static_cast<double>(end.ns - begin.ns), 1, 1e-5) << c.name();
  }
}

/// A moment that both clocks were read at, between two readings of the line: within their errors, for which 1 us
/// leaves room on a machine that has other programs to run.
TEST(tick_clock, has_moments_of_the_steady_clock) {
  for (const source from : sources()) {
    const tick_clock c(from);
    steady_line line(c);
    std::vector<clock_reading> moments;
    for (int i = 0; i < 30; ++i) {
      line.read();
      rest(3);
      moments.push_back(clock_reading::now(c));
    }
    const clock_reading last = moments.back();
    EXPECT_NEAR(static_cast<double>(line.ns(last.ticks) - last.ns), 0, 1000) << "after the last reading";
    line.read();
    for (const clock_reading& m : moments)
      EXPECT_NEAR(static_cast<double>(line.ns(m.ticks) - m.ns), 0, 1000) << c.name();
    const std::int64_t step = (last.ticks - moments.front().ticks) / 100'000;
    std::int64_t before = line.ns(moments.front().ticks);
    for (std::int64_t t = moments.front().ticks; t < last.ticks; t += step) {
      const std::int64_t now = line.ns(t);
      ASSERT_GE(now, before) << c.name();
      before = now;
    }
  }
}

TEST(tick_clock, counts_only_where_the_system_trusts_the_counter) {
  const std::string file = testing::TempDir() + "current_clocksource";
  const auto trusted_as = [&](const char* name) {
    std::ofstream(file) << name << '\n';
    return tick_clock::trusted(file);
  };
  EXPECT_EQ(trusted_as("tsc"), tick_clock::has_counter);
  for (const char* other : {"hpet", "acpi_pm", "kvm-clock", "arch_sys_counter", ""})
    EXPECT_FALSE(trusted_as(other)) << other;
  EXPECT_FALSE(tick_clock::trusted(testing::TempDir() + "no such file"));
}

/// A trace of days reads the clocks some millions of times: of old readings every second one goes, and moments stay.
TEST(tick_clock, keeps_few_readings_and_its_moments) {
  const tick_clock c(sources().front());
  steady_line line(c);
  std::vector<std::int64_t> ticks, ns;
  for (int i = 0; i < 200'000; ++i) {
    line.read();
    if (i % 1000 != 0) continue;
    ticks.push_back(c.ordered());
    line.read();
    ns.push_back(line.ns(ticks.back()));
  }
  EXPECT_LE(line.readings(), 1U << 16U);
  std::int64_t off = 0, last = 0;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const std::int64_t now = line.ns(ticks[i]);
    EXPECT_GE(now, last);
    last = now;
    off = std::max(off, std::abs(now - ns[i]));
  }
  EXPECT_LT(off, 100'000) << "ns: where the machine takes the thread off its core during a reading";
}

TEST(tick_clock, is_the_steady_clock_if_asked) {
  const char* const set = std::getenv("REDNOVA_CLOCK");
  const std::string outside = set == nullptr ? "" : set;
  ::unsetenv("REDNOVA_CLOCK");
  EXPECT_EQ(tick_clock::best().from(), sources().front());
  ::setenv("REDNOVA_CLOCK", "steady", 1);
  const tick_clock c = tick_clock::best();
  ::setenv("REDNOVA_CLOCK", "quartz", 1);
  EXPECT_THROW(static_cast<void>(tick_clock::best()), core::user_error);
  ::unsetenv("REDNOVA_CLOCK");
  if (set != nullptr) ::setenv("REDNOVA_CLOCK", outside.c_str(), 1);
  EXPECT_EQ(c.from(), source::steady);
  const std::int64_t before = steady_ns(), now = c.now(), ordered = c.ordered(), after = steady_ns();
  EXPECT_LE(before, now);
  EXPECT_LE(now, ordered);
  EXPECT_LE(ordered, after);
  EXPECT_EQ(steady_line(c).ns(now), now);
  EXPECT_EQ(c.seconds(1'000'000'000), 1);
}

/// Profile and trace by either clock: seconds, and moments of the steady clock.
TEST(tick_clock, times_scopes_in_seconds_and_notes_them_in_steady_time) {
  for (const source from : sources()) {
    profile p(1, tick_clock(from));
    p.start_trace();
    const std::int64_t before = steady_ns();
    {
      const profile::scope one(p, "one");
      rest(20);
    }
    const std::int64_t after = steady_ns();
    const double longest = 1e-9 * static_cast<double>(after - before);
    EXPECT_GE(p.entries().at("one").seconds, 0.02 * (1 - 1e-5)) << p.clock().name();
    EXPECT_LE(p.entries().at("one").seconds, longest * (1 + 1e-5)) << p.clock().name();
    int records = 0;
    p.drain([&](int, std::span<const trace_record> all) {
      for (const trace_record& r : all) {
        ++records;
        // Within a reading's error, with room as above.
        EXPECT_GE(r.start, before - 1000) << p.clock().name();
        EXPECT_LE(r.end, after + 1000) << p.clock().name();
        EXPECT_GE(r.end - r.start, 20'000'000 - 1000) << p.clock().name();
      }
    });
    EXPECT_EQ(records, 1);
  }
}

}  // namespace
}  // namespace rednova::exec
