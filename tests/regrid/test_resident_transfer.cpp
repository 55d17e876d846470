// The way to the next mesh by the kernels of a device, on the processor.
#include "transfer_on_place.hpp"

namespace rednova::regrid::test {

INSTANTIATE_TYPED_TEST_SUITE_P(resident_transfer_on, resident_transfer_on, exec::test::host_places);

}  // namespace rednova::regrid::test
