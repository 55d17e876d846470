// Ranges for tools that listen to NVTX, by a double of such a tool: no device is needed.
#include "exec/cuda/tool_range.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "exec/shared_library.hpp"

namespace rednova::exec::cuda {
namespace {

// NVTX looks for a tool once, at the first range of the program.
TEST(tool_range, has_the_names_of_what_is_launched) {
  ASSERT_EQ(setenv("NVTX_INJECTION64_PATH", NVTX_DOUBLE, 1), 0);
  const shared_library tool{NVTX_DOUBLE};
  const char* (*noted)() = nullptr;
  ASSERT_TRUE(tool.find("double_noted", noted));
  {
    tool_range range;
    range.enter("hydro");
    range.enter("ghosts");
    EXPECT_STREQ(noted(), "+hydro-+ghosts");
    range.enter(nullptr);
    EXPECT_STREQ(noted(), "-");
    range.enter("gravity");
  }
  EXPECT_STREQ(noted(), "+gravity-") << "left where it ends";
}

}  // namespace
}  // namespace rednova::exec::cuda
