// Ghost layers, restriction and letters on a device against the processor, to the last bit: there are no powers in
// them.
#include "device_place.hpp"
#include "ghosts_on_place.hpp"
#include "links_on_place.hpp"

namespace rednova::exchange::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(resident_ghosts_on, resident_ghosts_on, device);
INSTANTIATE_TYPED_TEST_SUITE_P(resident_links_on, resident_links_on, device);

}  // namespace rednova::exchange::test
