#include "command/ranks.hpp"

#include <gtest/gtest.h>

namespace rednova::command {
namespace {

/// From the beginning on, so that an initial model is not timed either.
TEST(on_ranks, without_a_profile_nothing_is_timed) {
  for (const bool profiled : {true, false}) {
    job what;
    what.threads = 1;
    what.profiled = profiled;
    bool ran = false;
    const int code = on_ranks(
        what, [] {},
        [&](exec::context& context, exec::transport&) {
          ran = true;
          EXPECT_EQ(context.times().on(), profiled);
          return 0;
        });
    EXPECT_TRUE(ran);
    EXPECT_EQ(code, 0);
  }
}

}  // namespace
}  // namespace rednova::command
