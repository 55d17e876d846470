// Ghost layers by the kernels of a device, on the processor.
#include "ghosts_on_device.hpp"

namespace rednova::exchange::test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(device_ghosts_on, device_ghosts_on, exec::test::host_spaces);

TEST(device_ghosts, counts_that_are_no_int_are_refused) {
  const mesh::tree t = mesh::tree::uniform({}, 1);
  const mesh::field_numbers fields(1);
  const device_ghosts<exec::host_space> g({}, mesh::view(t), fields, {});
  const mesh::block_view<const double> u{nullptr, nullptr, 0, fields.size()};
  EXPECT_THROW(g.gather(u, nullptr, g.most_blocks + 1, 0, nullptr), std::logic_error);
  EXPECT_THROW(g.gather_scalar(u, 0, nullptr, g.most_blocks + 1, nullptr), std::logic_error);
  EXPECT_THROW(g.gather_scalar(u, fields.size(), nullptr, 1, nullptr), std::logic_error);
}

}  // namespace
}  // namespace rednova::exchange::test
