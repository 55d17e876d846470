// The way to the next mesh on a device.
#include "device_space.hpp"
#include "transfer_on_device.hpp"

namespace rednova::regrid::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(device_transfer_on, device_transfer_on, device);

}  // namespace rednova::regrid::test
