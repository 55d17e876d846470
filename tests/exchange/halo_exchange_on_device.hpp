// Restriction, and messages between ranks, by the kernels of a device against the processor's own, to the last bit, on
// any place.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "exchange/device_halo_exchange.hpp"
#include "exec/on_space.hpp"
#include "mesh/tree_there.hpp"
#include "random_gas.hpp"

namespace rednova::exchange::test {

using exec::test::different;

/// Gas of so many species, here and in an execution space's memory.
template <class Space>
struct linked_gas {
  linked_gas(const Space& space, int species) : here(space), gas(tree, species, 9) {}
  std::vector<double> found() const { return exec::test::to_host(here, there.values); }

  Space here;
  mesh::tree tree = random_tree({false, true, false}, 8);
  random_gas gas;
  exec::context one{1};
  halo_exchange of{one, tree, gas.fields};
  mesh::test::tree_there<Space> tree_there{here, tree};
  mesh::test::blocks_there<Space> there{here, gas.u};
  device_halo_exchange<Space> by{here, of, tree, tree_there.view, gas.fields};
};

template <class Opened>
class device_halo_exchange_on : public exec::test::space_test<Opened> {
 protected:
  template <class Body>
  void for_gases(const Body& body) const {
    for (const int species : {1, 5}) {
      SCOPED_TRACE(species);
      linked_gas<typename Opened::place> gas(this->here(), species);
      body(gas);
    }
  }
};
TYPED_TEST_SUITE_P(device_halo_exchange_on);

TYPED_TEST_P(device_halo_exchange_on, all_fields) {
  this->for_gases([](auto& g) {
    ASSERT_GE(g.tree.max_level(), 3);
    restrict_all(g.one, g.tree, g.gas.fields, g.gas.u);
    EXPECT_GT(different(mesh::test::numbers(g.gas.u), g.found()), 1000);
    g.by.restrict_all(g.there.view);
    EXPECT_EQ(different(mesh::test::numbers(g.gas.u), g.found()), 0);
  });
}

TYPED_TEST_P(device_halo_exchange_on, one_field) {
  this->for_gases([](auto& g) {
    const int field = g.gas.fields.entropy();
    for (int level = g.tree.max_level() - 1; level >= 0; --level) {
      for (int n = g.tree.refined(level)[0]; n < g.tree.refined(level)[1]; ++n) {
        for (int octant = 0; octant < 8; ++octant) restrict_scalar_octant(g.tree, g.gas.u, field, n, octant);
      }
    }
    EXPECT_GT(different(mesh::test::numbers(g.gas.u), g.found()), 100);
    g.by.restrict_scalar(g.there.view, field);
    EXPECT_EQ(different(mesh::test::numbers(g.gas.u), g.found()), 0);
  });
}

// Some numbers of three fields, in no order. That ranks agree on them: tests/ranks/pieces.cpp.
TYPED_TEST_P(device_halo_exchange_on, messages) {
  constexpr int fields = 3, numbers = 1000, stride = 5000;
  std::vector<std::ptrdiff_t> places(stride);
  std::iota(places.begin(), places.end(), 0);
  std::ranges::shuffle(places, std::mt19937(3));
  places.resize(numbers);
  const auto& here = this->here();
  const std::vector<double> before = untouched(fields * stride);
  auto values = here.copy_of(before), message = here.copy_of(std::vector<double>(fields * numbers, 1.0));
  const auto at = here.copy_of(places);
  const message_numbers view{at.data(), numbers, stride, values.data()};
  const auto place_of = [&](int i) {
    return static_cast<std::size_t>(places[static_cast<std::size_t>(i % numbers)]) +
           static_cast<std::size_t>(i / numbers * stride);
  };

  here.for_each(fields * numbers, pack_message{view, message.data()});
  std::vector<double> packed;
  for (int i = 0; i < fields * numbers; ++i) packed.push_back(before[place_of(i)]);
  EXPECT_EQ(exec::test::to_host(here, message), packed);

  std::vector<double> come(packed.size()), after = before;
  std::iota(come.begin(), come.end(), 0.5);
  for (int i = 0; i < fields * numbers; ++i) after[place_of(i)] = come[static_cast<std::size_t>(i)];
  here.upload(message.data(), std::span<const double>(come));
  here.for_each(fields * numbers, unpack_message{message.data(), view});
  EXPECT_EQ(exec::test::to_host(here, values), after);
}

REGISTER_TYPED_TEST_SUITE_P(device_halo_exchange_on, all_fields, one_field, messages);

}  // namespace rednova::exchange::test
