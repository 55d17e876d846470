// The criteria with the gas looked at on a device.
#include "criteria_on_place.hpp"
#include "device_place.hpp"

namespace rednova::regrid::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(resident_criteria_on, resident_criteria_on, device);

}  // namespace rednova::regrid::test
