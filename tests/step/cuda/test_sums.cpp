// The conserved sums of blocks on a device against the processor's.
#include <gtest/gtest.h>

#include "device_test.hpp"
#include "random_blocks.hpp"
#include "step/cuda/sums.hpp"

namespace {

using namespace rednova;
using exec::cuda::on_device;
using testing_on::device;

// Products and sums alone, not fused and in one order: the same bits.
TEST_F(device, sums_to_the_bits_of_the_host) {
  const exec::cuda::context context;
  const step::test::random_blocks blocks(5);
  std::vector<exec::cuda::array<double>> memory;
  std::vector<step::summed_block> all = blocks.all;
  for (std::size_t b = 0; b < all.size(); ++b) {
    all[b].u = memory.emplace_back(on_device(context, blocks.u[b])).data();
    if (all[b].phi != nullptr) all[b].phi = memory.emplace_back(on_device(context, blocks.phi[b])).data();
  }
  const auto in = on_device(context, all);
  const auto sums = step::cuda::sum_blocks(context, blocks.fields, static_cast<int>(all.size()), in.data());
  EXPECT_EQ(step::test::values(sums), step::test::values(blocks.sums()));
}

}  // namespace
