// The functors of a stage for single cells, on the processor and on the checking device.
#include "stage_functors.hpp"

namespace rednova::step::test {

INSTANTIATE_TYPED_TEST_SUITE_P(stage_functors, stage_functors, exec::test::host_spaces);

}  // namespace rednova::step::test
