// The way to the next mesh on a device.
#include "device_place.hpp"
#include "transfer_on_place.hpp"

namespace rednova::regrid::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(resident_transfer_on, resident_transfer_on, device);

}  // namespace rednova::regrid::test
