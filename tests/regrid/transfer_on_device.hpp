// The way to the next mesh by the kernels of a device, against the processor's own.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "exchange/random_gas.hpp"
#include "exec/on_space.hpp"
#include "mesh/tree_there.hpp"
#include "regrid/device_transfer.hpp"
#include "regrid/transfer.hpp"

namespace rednova::regrid::test {

template <class Opened>
class device_transfer_on : public exec::test::space_test<Opened> {};
TYPED_TEST_SUITE_P(device_transfer_on);

TYPED_TEST_P(device_transfer_on, has_the_bits_of_the_cores) {
  const mesh::tree tree = exchange::test::random_tree({false, true, false}, 5);
  const exchange::test::random_gas gas(tree, 3, 6, false);  // the acceleration is solved for anew
  std::mt19937 random(7);
  std::vector<int> flags;
  for (int n = 0; n < tree.leaves(); ++n) flags.push_back(random() % 40 == 0 ? 1 : -1);
  const mesh::tree next(tree.box(), tree.adapted(flags));
  const mesh::local_partition own(next);
  const std::vector<origin> all = origins(tree, next, own);
  EXPECT_TRUE(std::ranges::any_of(all, [](const origin& o) { return o.octant != origin::whole; }));
  EXPECT_TRUE(std::ranges::any_of(all, [&](const origin& o) { return o.node >= tree.leaves(); }));

  exec::context context(2);
  const mesh::block_data expected = transfer(context, tree, next, own, gas.fields, gas.u);
  using place = typename TypeParam::place;
  const mesh::test::tree_there<place> there(this->here(), tree);
  const mesh::test::blocks_there<place> u(this->here(), gas.u);
  const auto found = device_transfer(this->here(), tree, there.view, next, own, gas.fields, u.view);
  EXPECT_EQ(exec::test::different(exec::test::to_host(this->here(), found), mesh::test::numbers(expected)), 0);
}

REGISTER_TYPED_TEST_SUITE_P(device_transfer_on, has_the_bits_of_the_cores);

}  // namespace rednova::regrid::test
