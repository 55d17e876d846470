// Which key or name a misspelt one may mean.
#include <gtest/gtest.h>

#include "config/nearest.hpp"

namespace {

using namespace rednova;

TEST(nearest, counts_edits) {
  EXPECT_EQ(config::edit_distance("", "abc"), 3);
  EXPECT_EQ(config::edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(config::edit_distance("clf", "cfl"), 1);
  EXPECT_EQ(config::edit_distance("same", "same"), 0);
  EXPECT_EQ(config::nearest("sedof", {"sod", "sedov", "binary"}), "sedov");
  EXPECT_EQ(config::nearest("x", {}), "");
  EXPECT_EQ(config::did_you_mean("sedof", {"sod", "sedov", "binary"}), " Did you mean 'sedov'?");
  EXPECT_EQ(config::did_you_mean("x", {"lower", "max_level"}), "");
  EXPECT_EQ(config::did_you_mean("end_tiem", {"end_time"}), " Did you mean 'end_time'?");
}

}  // namespace
