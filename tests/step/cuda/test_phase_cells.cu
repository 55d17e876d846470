// The phases of a step for single cells on a device.
#include "device_place.hpp"
#include "phase_cells.hpp"

namespace rednova::step::test {

using device = testing::Types<exec::test::on_device>;
INSTANTIATE_TYPED_TEST_SUITE_P(phase_cells, phase_cells, device);

}  // namespace rednova::step::test
