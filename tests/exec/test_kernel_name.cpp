#include "exec/kernel_name.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rednova::exec {
namespace {

TEST(kernel_name, is_that_of_the_functor) {
  // void rednova::exec::cuda::run_kernel<rednova::step::keep_positive<int> >(int, rednova::step::keep_positive<int>)
  EXPECT_EQ(kernel_name("_ZN7rednova4exec4cuda10run_kernelINS_4step13keep_positiveIiEEEEviT_"),
            "step::keep_positive<int>");
  // void rednova::exec::cuda::run_thread_block<rednova::gravity::(anonymous namespace)::m2l>(…)
  EXPECT_EQ(kernel_name("_ZN7rednova4exec4cuda16run_thread_blockINS_7gravity12_GLOBAL__N_13m2lEEEvT_"), "gravity::m2l");
}

TEST(kernel_name, of_others_is_the_function) {
  EXPECT_EQ(kernel_name("_ZN3lib4sortIidEEvPT_i"), "lib::sort<int, double>");
  EXPECT_EQ(kernel_name("plain_kernel"), "plain_kernel");
}

TEST(kernel_name, is_no_longer_than_a_line) {
  const std::string name = kernel_name(std::string(300, 'k').c_str());
  EXPECT_EQ(name.size(), 100U);
  EXPECT_EQ(name.substr(97), "...");
}

}  // namespace
}  // namespace rednova::exec
