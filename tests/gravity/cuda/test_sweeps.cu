// The functors of the upward and downward passes on a device. Its compiler fuses products with sums, as the processor's
// does where it can.
#include "device_space.hpp"
#include "sweeps_on_device.hpp"

namespace rednova::gravity::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(sweeps_on, sweeps_on, device);

}  // namespace rednova::gravity::test
