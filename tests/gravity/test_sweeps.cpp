// The functors of the upward and downward passes on the processor: by packs as its cores run them, and by single
// numbers as a device does.
#include "sweeps_on_device.hpp"

namespace rednova::gravity::test {

struct on_packs : exec::test::on_processor {
  struct place : exec::host_space {
    using number = exec::pack;
  };
  place at;
};

using places = testing::Types<exec::test::on_processor, exec::test::on_checking_device, on_packs>;
INSTANTIATE_TYPED_TEST_SUITE_P(sweeps_on, sweeps_on, places);

}  // namespace rednova::gravity::test
