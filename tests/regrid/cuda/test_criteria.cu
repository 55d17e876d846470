// The criteria with the gas looked at on a device.
#include "criteria_on_device.hpp"
#include "device_space.hpp"

namespace rednova::regrid::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(device_criteria_on, device_criteria_on, device);

}  // namespace rednova::regrid::test
