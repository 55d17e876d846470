// The functors of a stage on a device.
#include "device_space.hpp"
#include "stage_functors.hpp"

namespace rednova::step::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(stage_functors, stage_functors, device);

}  // namespace rednova::step::test
