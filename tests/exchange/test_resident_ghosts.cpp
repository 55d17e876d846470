// Ghost layers by the kernels of a device, on the processor.
#include "ghosts_on_place.hpp"

namespace rednova::exchange::test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(resident_ghosts_on, resident_ghosts_on, exec::test::host_places);

TEST(resident_ghosts, counts_that_are_no_int_are_refused) {
  const mesh::tree t = mesh::tree::uniform({}, 1);
  const mesh::field_numbers fields(1);
  const resident_ghosts<exec::processor_place> g({}, mesh::view(t), fields, {});
  const mesh::block_view<const double> u{nullptr, nullptr, 0, fields.size()};
  EXPECT_THROW(g.gather(u, nullptr, g.most_blocks + 1, 0, nullptr), std::logic_error);
  EXPECT_THROW(g.gather_scalar(u, 0, nullptr, g.most_blocks + 1, nullptr), std::logic_error);
  EXPECT_THROW(g.gather_scalar(u, fields.size(), nullptr, 1, nullptr), std::logic_error);
}

}  // namespace
}  // namespace rednova::exchange::test
