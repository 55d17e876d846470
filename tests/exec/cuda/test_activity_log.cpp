// Kernels and copies in a trace, by a double of CUPTI: no device is needed.
#include "exec/cuda/activity_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "drained.hpp"
#include "exec/run.hpp"
#include "exec/shared_library.hpp"

namespace rednova::exec::cuda {
namespace {

constexpr const char* update = "_ZN7rednova4exec4cuda10run_kernelINS_5hydro6updateEEEviT_";

class activity : public testing::Test {
 protected:
  void SetUp() override {
    setenv("REDNOVA_CUPTI", CUPTI_DOUBLE, 1);
    ASSERT_TRUE(library.find("double_launch", launch));
    ASSERT_TRUE(library.find("double_copy_to_host", copy_to_host));
    ASSERT_TRUE(library.find("double_refuse", refuse));
    ASSERT_TRUE(library.find("double_reports", reports));
    ASSERT_TRUE(library.find("double_turn_round", turn_round));
    ASSERT_TRUE(library.find("double_query", query));
    ASSERT_TRUE(library.find("double_hold_last", hold_last));
    ASSERT_TRUE(library.find("double_release", release));
    host.times().start_trace();
  }
  void TearDown() override { unsetenv("REDNOVA_CUPTI"); }

  void launch_as(std::uint32_t task, std::uint32_t stream) {
    host.times().set_running(task);
    launch(update, stream);
    host.times().set_running(0);
  }

  context host{1};
  shared_library library{CUPTI_DOUBLE};
  void (*launch)(const char*, std::uint32_t) = nullptr;
  void (*copy_to_host)(std::uint32_t) = nullptr;
  void (*refuse)(bool) = nullptr;
  bool (*reports)() = nullptr;
  void (*turn_round)() = nullptr;
  void (*query)() = nullptr;
  void (*hold_last)() = nullptr;
  void (*release)() = nullptr;
};

TEST_F(activity, has_names_queues_and_the_tasks_that_launched) {
  {
    const activity_log log(host.times());
    ASSERT_EQ(log.why_not(), "");
    launch_as(11, 7);
    launch_as(12, 13);
    copy_to_host(7);
  }
  const std::vector<noted> all = drained(host);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "hydro::update");
  EXPECT_EQ(all[0].record.cause, 11U);
  EXPECT_EQ(all[0].slot, 1) << "after the one thread";
  EXPECT_EQ(all[1].name, "copy to the host");
  EXPECT_EQ(all[1].record.cause, 0U) << "of no task";
  EXPECT_EQ(all[2].record.cause, 12U);
  EXPECT_EQ(all[2].slot, 2);
  EXPECT_FALSE(reports()) << "it was told to stop";
}

/// A task that waits is another one afterwards, and so is what it launches without saying so.
TEST_F(activity, follows_the_tasks_of_its_thread) {
  profile& p = host.times();
  {
    const activity_log log(p);
    {
      const profile::task_scope outer(p, 0, 1);
      launch(update, 7);
      {
        const profile::task_scope inner(p, p.running(), 2);
        launch(update, 7);
        profile::task_wait until(p);
        until.ended_by(99);
      }
      launch(update, 7);
    }
    launch(update, 7);
  }
  std::vector<std::uint32_t> tasks, kernels;
  for (const noted& n : drained(host))
    (n.slot == 0 ? tasks : kernels).push_back(n.slot == 0 ? n.record.id : n.record.cause);
  ASSERT_EQ(tasks.size(), 3U) << "the inner one in two parts, then the outer one";
  EXPECT_THAT(kernels, testing::ElementsAre(tasks[2], tasks[0], tasks[2], 0U));
}

TEST_F(activity, is_on_the_clock_of_the_host) {
  constexpr int launches = 20;
  std::vector<std::int64_t> before, after;
  {
    const activity_log log(host.times());
    for (int i = 0; i < launches; ++i) {
      before.push_back(steady_ns());
      launch_as(1, 7);
      after.push_back(steady_ns());
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  const std::vector<noted> all = drained(host);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(launches));
  // The double's clock gains 8 microseconds meanwhile. What is left is the readings' error, where another process took
  // the core between two of them: of five the best counts.
  constexpr std::int64_t error = 2000;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_GT(all[i].record.start, before[i] - error);
    EXPECT_LT(all[i].record.start, after[i] + error);
    EXPECT_NEAR(static_cast<double>(all[i].record.end - all[i].record.start), 1000, 2);
  }
}

TEST_F(activity, finds_the_task_of_what_comes_before_its_call) {
  {
    const activity_log log(host.times());
    launch_as(21, 7);
    launch_as(22, 7);
    turn_round();
  }
  std::vector<std::uint32_t> tasks;
  for (const noted& n : drained(host)) tasks.push_back(n.record.cause);
  EXPECT_THAT(tasks, testing::UnorderedElementsAre(21U, 22U));
}

/// Who waits for the device asks it again and again, and each time is a call of the task. Records come in any order.
TEST_F(activity, finds_the_task_among_a_million_calls_that_gave_no_work) {
  for (const bool turned : {false, true}) {
    const activity_log log(host.times());
    const auto ask = [&](int times) {
      host.times().set_running(41);
      for (int i = 0; i < times; ++i) query();
      host.times().set_running(0);
    };
    ask(700'000);
    launch_as(42, 7);
    hold_last();
    ask(400'000);
    if (turned) turn_round();
    release();
  }
  const std::vector<noted> all = drained(host);
  ASSERT_EQ(all.size(), 2U);
  for (const noted& n : all) EXPECT_EQ(n.record.cause, 42U);
}

TEST_F(activity, fills_more_than_one_buffer) {
  constexpr std::size_t launches = 5000;
  {
    const activity_log log(host.times());
    for (std::size_t i = 0; i < launches; ++i) launch_as(3, 7);
  }
  EXPECT_EQ(drained(host).size(), launches);
}

TEST_F(activity, says_why_there_is_none) {
  refuse(true);
  {
    const activity_log log(host.times());
    EXPECT_THAT(log.why_not(), testing::HasSubstr("words of the double"));
    launch_as(1, 7);
  }
  refuse(false);
  EXPECT_FALSE(reports());
  setenv("REDNOVA_CUPTI", "no_such_library.so", 1);
  EXPECT_THAT(activity_log(host.times()).why_not(), testing::HasSubstr("no_such_library.so"));
}

}  // namespace
}  // namespace rednova::exec::cuda
