// The criteria with the gas looked at by the kernels of a device, on the processor.
#include "criteria_on_device.hpp"

namespace rednova::regrid::test {

INSTANTIATE_TYPED_TEST_SUITE_P(device_criteria_on, device_criteria_on, exec::test::host_spaces);

}  // namespace rednova::regrid::test
