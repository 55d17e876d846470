// The criteria with the gas looked at on a device.
#include "criteria_on_place.hpp"
#include "device_place.hpp"

namespace rednova::regrid::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(there, resident_criteria_on, device, exec::test::name_of_place);

}  // namespace rednova::regrid::test
