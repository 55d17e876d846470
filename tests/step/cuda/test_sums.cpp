// The conserved sums of blocks on a device against the processor's.
#include <gtest/gtest.h>

#include "device_test.hpp"
#include "random_blocks.hpp"
#include "step/cuda/sums.hpp"

namespace {

using namespace rednova;
using testing_on::device;

exec::cuda::array<double> copy(const exec::cuda::context& where, const std::vector<double>& values) {
  exec::cuda::array<double> on_device(values.size());
  on_device.copy_from(where, values);
  return on_device;
}

// Products and sums alone, not fused and in one order: the same bits.
TEST_F(device, sums_to_the_bits_of_the_host) {
  const exec::cuda::context where;
  const step::test::random_blocks blocks(5);
  std::vector<exec::cuda::array<double>> memory;
  std::vector<step::summed_block> all = blocks.all;
  for (std::size_t b = 0; b < all.size(); ++b) {
    all[b].u = memory.emplace_back(copy(where, blocks.u[b])).data();
    if (all[b].phi != nullptr) all[b].phi = memory.emplace_back(copy(where, blocks.phi[b])).data();
  }
  exec::cuda::array<step::summed_block> in(all.size());
  in.copy_from(where, all);
  const auto sums = step::cuda::sum_blocks(where, blocks.fields, static_cast<int>(all.size()), in.data());
  EXPECT_EQ(step::test::values(sums), step::test::values(blocks.sums()));
}

}  // namespace
