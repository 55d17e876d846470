// The sweeps as a device runs them, cell by cell, on the processor.
#include "sweeps_on_place.hpp"

namespace rednova::gravity::test {

INSTANTIATE_TYPED_TEST_SUITE_P(sweep_cells_on, sweep_cells_on, exec::test::host_places);

}  // namespace rednova::gravity::test
