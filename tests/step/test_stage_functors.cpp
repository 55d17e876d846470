// The functors of a stage for single cells, on the processor and on the strict place.
#include "stage_functors.hpp"

namespace rednova::step::test {

INSTANTIATE_TYPED_TEST_SUITE_P(stage_functors, stage_functors, exec::test::host_places);

}  // namespace rednova::step::test
