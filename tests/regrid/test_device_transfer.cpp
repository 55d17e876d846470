// The way to the next mesh by the kernels of a device, on the processor.
#include "transfer_on_device.hpp"

namespace rednova::regrid::test {

INSTANTIATE_TYPED_TEST_SUITE_P(device_transfer_on, device_transfer_on, exec::test::host_spaces);

}  // namespace rednova::regrid::test
