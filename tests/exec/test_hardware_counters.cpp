#include "exec/hardware_counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "exec/shared_library.hpp"

namespace rednova::exec {
namespace {

class papi : public testing::Test {
 protected:
  void SetUp() override {
    setenv("REDNOVA_PAPI", PAPI_DOUBLE, 1);
    ASSERT_TRUE(library.find("double_threads", threads));
    ASSERT_TRUE(library.find("double_refuse", refuse));
  }
  void TearDown() override { unsetenv("REDNOVA_PAPI"); }

  shared_library library{PAPI_DOUBLE};
  int (*threads)() = nullptr;
  void (*refuse)(bool) = nullptr;
};

TEST_F(papi, counts_each_thread) {
  {
    hardware_counters counters;
    ASSERT_EQ(counters.why_not(), "");
    const int at_start = threads();
    ASSERT_GE(at_start, 1);
    const hardware_counts first = counters.read();
    EXPECT_EQ(first.cycles, 1000.0 * at_start);
    EXPECT_EQ(first.instructions, 2500.0 * at_start);
    EXPECT_TRUE(std::isnan(first.cache_misses)) << "not counted is not none";
    std::atomic<bool> over = false;
    std::thread another([&] {
      while (!over) std::this_thread::yield();
    });
    const hardware_counts second = counters.read();
    EXPECT_EQ(threads(), at_start + 1);
    EXPECT_EQ(second.cycles, 2000.0 * at_start + 1000.0) << "the new thread counts from here on";
    over = true;
    another.join();
  }
  EXPECT_EQ(threads(), 0);
}

TEST_F(papi, says_why_nothing_is_counted) {
  refuse(true);
  hardware_counters counters;
  refuse(false);
  EXPECT_THAT(counters.why_not(), testing::HasSubstr("words of the double"));
  EXPECT_EQ(counters.read().cycles, 0);
  EXPECT_EQ(threads(), 0) << "nothing is left behind";
  setenv("REDNOVA_PAPI", "no_such_library.so", 1);
  EXPECT_THAT(hardware_counters().why_not(), testing::HasSubstr("no_such_library.so"));
}

}  // namespace
}  // namespace rednova::exec
