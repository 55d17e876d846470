// The way to the next mesh by the kernels of a device, on the processor, against the processor's own.
#include "regrid/resident_transfer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "exchange/random_gas.hpp"
#include "regrid/transfer.hpp"

namespace rednova::regrid {
namespace {

TEST(resident_transfer, has_the_bits_of_the_cores) {
  const mesh::tree tree = exchange::test::random_tree({false, true, false}, 5);
  const exchange::test::random_gas gas(tree, 3, 6);
  std::mt19937 random(7);
  std::vector<int> wish;
  for (int n = 0; n < tree.leaves(); ++n) wish.push_back(random() % 40 == 0 ? 1 : -1);
  const mesh::tree next(tree.box(), tree.adapted(wish));
  const mesh::share own(next);
  const std::vector<origin> all = origins(tree, next, own);
  EXPECT_TRUE(std::ranges::any_of(all, [](const origin& o) { return o.octant != origin::whole; }));
  EXPECT_TRUE(std::ranges::any_of(all, [&](const origin& o) { return o.node >= tree.leaves(); }));

  exec::context where(2);
  const mesh::block_data expected = transfer(where, tree, next, own, gas.fields, gas.u);
  const auto there =
      resident_transfer(exec::processor_place{}, tree, mesh::view(tree), next, own, gas.fields, mesh::view(gas.u));
  EXPECT_EQ(exchange::test::different(there, {expected.data(), expected.bytes() / sizeof(double)}), 0);
}

}  // namespace
}  // namespace rednova::regrid
