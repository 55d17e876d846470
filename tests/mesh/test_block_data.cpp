#include "mesh/block_data.hpp"

#include <gtest/gtest.h>

namespace rednova::mesh {
namespace {

TEST(block_data, takes_other_blocks_in_the_same_memory) {
  block_data u(16, 3);
  const double* const before = u.data();
  const std::size_t room = u.capacity();
  u.reshape(slots::all(5), 2);
  EXPECT_EQ(u.data(), before);
  EXPECT_EQ(u.nodes(), 5);
  EXPECT_EQ(u.fields(), 2);
  EXPECT_EQ(u.at(4, 1), before + (4 * 2 + 1) * cells);
  EXPECT_EQ(u.bytes(), sizeof(double) * 5 * 2 * cells);
  u.reshape(slots::all(16), 3);
  EXPECT_EQ(u.data(), before);
  EXPECT_EQ(u.capacity(), room);
}

TEST(block_data, grows_with_room_to_spare) {
  block_data u(16, 3);
  u.reshape(slots::all(17), 3);
  EXPECT_EQ(u.bytes(), sizeof(double) * 17 * 3 * cells);
  EXPECT_GE(u.capacity(), u.bytes() / 8 * 9);
  const double* const before = u.data();
  u.reshape(slots::all(18), 3);
  EXPECT_EQ(u.data(), before);
}

}  // namespace
}  // namespace rednova::mesh
