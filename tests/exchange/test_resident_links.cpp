// Restriction by the kernels of a device, on the processor.
#include "links_on_place.hpp"

namespace rednova::exchange::test {

INSTANTIATE_TYPED_TEST_SUITE_P(resident_links_on, resident_links_on, exec::test::host_places);

}  // namespace rednova::exchange::test
