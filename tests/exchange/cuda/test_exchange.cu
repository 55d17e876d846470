// Ghost layers, restriction and messages on a device against the processor, to the last bit: there are no powers in
// them.
#include "device_space.hpp"
#include "ghosts_on_device.hpp"
#include "halo_exchange_on_device.hpp"

namespace rednova::exchange::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(device_ghosts_on, device_ghosts_on, device);
INSTANTIATE_TYPED_TEST_SUITE_P(device_halo_exchange_on, device_halo_exchange_on, device);

}  // namespace rednova::exchange::test
