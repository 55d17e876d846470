// Restriction by the kernels of a device, on the processor.
#include "halo_exchange_on_device.hpp"

namespace rednova::exchange::test {

INSTANTIATE_TYPED_TEST_SUITE_P(device_halo_exchange_on, device_halo_exchange_on, exec::test::host_spaces);

}  // namespace rednova::exchange::test
