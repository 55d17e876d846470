// The criteria with the gas looked at by the kernels of a device, on the processor.
#include "criteria_on_place.hpp"

namespace rednova::regrid::test {

INSTANTIATE_TYPED_TEST_SUITE_P(resident_criteria_on, resident_criteria_on, exec::test::host_places);

}  // namespace rednova::regrid::test
