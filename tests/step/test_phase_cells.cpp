// The phases of a step for single cells, as a device runs them, on the processor.
#include "phase_cells.hpp"

namespace rednova::step::test {

INSTANTIATE_TYPED_TEST_SUITE_P(phase_cells, phase_cells, exec::test::host_places);

}  // namespace rednova::step::test
