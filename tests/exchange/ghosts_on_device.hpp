// Ghost layers by the kernels of a device against the processor's own, to the last bit, on any place.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "exchange/device_ghosts.hpp"
#include "exchange/ghosts.hpp"
#include "exec/on_space.hpp"
#include "mesh/tree_there.hpp"
#include "random_gas.hpp"

namespace rednova::exchange::test {

using exec::test::different;

struct setting {
  const char* name;
  std::array<config::boundary, 6> outer;
  int species;
  double rotation;
};
inline std::vector<setting> settings() {
  constexpr auto in = config::boundary::reflecting, out = config::boundary::outflow,
                 open = config::boundary::zero_gradient, round = config::boundary::periodic;
  return {{"periodic", {round, round, round, round, round, round}, 1, 0},
          {"reflecting", {in, in, in, in, in, in}, 3, 0},
          {"outflow", {out, out, out, out, out, out}, 2, 0.8},
          {"mixed", {in, out, round, round, open, out}, 5, -0.8},
          {"walls that turn", {out, in, in, open, in, out}, 1, 0.8}};
}

/// Gas between boundaries, and its ghost layers by both.
template <class Space>
struct bounded_gas {
  bounded_gas(const Space& space, const setting& s) : here(space), with(s) {
    // Refined nodes too, in no order: the criteria look at leaves' parents.
    std::iota(nodes.begin(), nodes.end(), 0);
    std::ranges::shuffle(nodes, std::mt19937(17));
    exec::context one(1);
    restrict_all(one, tree, gas.fields, gas.u);
  }
  /// By mesh::outside, mesh::no_block, and blocks of the level: sides of the nodes.
  int sides_of_kind(const auto& is) const {
    int count = 0;
    for (const mesh::node& n : tree.nodes()) {
      for (int side = 0; side < mesh::sides; ++side) {
        const cell_box cells = cells_of(offset(side));
        const bool filled = cells.length(0) * cells.length(1) * cells.length(2) > 0;
        count += filled && is(n.neighbour[static_cast<std::size_t>(side)]) ? 1 : 0;
      }
    }
    return count;
  }
  bool periodic(std::size_t direction) const { return with.outer[2 * direction] == config::boundary::periodic; }
  int count() const { return static_cast<int>(nodes.size()); }
  std::size_t block() const { return static_cast<std::size_t>(gas.fields.size()) * mesh::ghosted_cells; }
  /// What the execution space's kernels make of numbers that are to be overwritten. gather(to): calls them.
  template <class Gather>
  std::vector<double> found(std::size_t numbers, const Gather& gather) const {
    auto there = here.copy_of(untouched(numbers));
    gather(there.data());
    return exec::test::to_host(here, there);
  }

  Space here;
  setting with;
  mesh::tree tree = random_tree({periodic(0), periodic(1), periodic(2)}, 5);
  random_gas gas{tree, with.species, 6};
  std::vector<int> nodes = std::vector<int>(static_cast<std::size_t>(tree.size()));
  ghosts expected{tree, gas.fields, with.outer};
  mesh::test::tree_there<Space> tree_there{here, tree};
  device_ghosts<Space> by{here, tree_there.view, gas.fields, with.outer};
};

template <class Opened>
class device_ghosts_on : public exec::test::space_test<Opened> {
 protected:
  /// Calls body(gas, its fields and the list of nodes in the execution space's memory).
  template <class Body>
  void for_settings(const Body& body) const {
    for (const setting& s : settings()) {
      SCOPED_TRACE(s.name);
      const bounded_gas<typename Opened::place> gas(this->here(), s);
      const mesh::test::blocks_there u(this->here(), gas.gas.u);
      const auto nodes = this->here().copy_of(gas.nodes);
      body(gas, u.view, nodes.data());
    }
  }
};
TYPED_TEST_SUITE_P(device_ghosts_on);

TYPED_TEST_P(device_ghosts_on, all_fields) {
  this->for_settings([](const auto& b, const mesh::block_view<const double>& u, const int* nodes) {
    const std::size_t block = b.block();
    std::vector<double> all = untouched(b.nodes.size() * block);
    for (std::size_t i = 0; i < b.nodes.size(); ++i) {
      b.expected.gather(b.gas.u, b.nodes[i], b.with.rotation, all.data() + i * block);
    }
    EXPECT_EQ(
        different(all, b.found(all.size(), [&](double* to) { b.by.gather(u, nodes, b.count(), b.with.rotation, to); })),
        0);
    EXPECT_GT(b.sides_of_kind([](int neighbour) { return neighbour >= 0; }), 1000);
    EXPECT_GT(b.sides_of_kind([](int neighbour) { return neighbour == mesh::no_block; }), 500);
    const bool closed = b.periodic(0) && b.periodic(1) && b.periodic(2);
    EXPECT_EQ(b.sides_of_kind([](int neighbour) { return neighbour == mesh::outside; }) > 500, !closed);
  });
}

TYPED_TEST_P(device_ghosts_on, one_field) {
  this->for_settings([](const auto& b, const mesh::block_view<const double>& u, const int* nodes) {
    for (const int field : {0, b.gas.fields.energy()}) {
      std::vector<double> all = untouched(b.nodes.size() * mesh::ghosted_cells);
      for (std::size_t i = 0; i < b.nodes.size(); ++i) {
        b.expected.gather_scalar(b.gas.u, b.nodes[i], field, all.data() + i * mesh::ghosted_cells);
      }
      const auto gather = [&](double* to) { b.by.gather_scalar(u, field, nodes, b.count(), to); };
      EXPECT_EQ(different(all, b.found(all.size(), gather)), 0) << "field " << field;
    }
  });
}

// Light's energy with slopes in depth, beyond faces; the field after it has its own.
TYPED_TEST_P(device_ghosts_on, light) {
  this->for_settings([](const auto& b, const mesh::block_view<const double>& u, const int* nodes) {
    constexpr int extinction = 0, count = 2;
    const int energy = b.gas.fields.energy();
    const std::size_t block = count * mesh::ghosted_cells;
    std::vector<double> all = untouched(b.nodes.size() * block);
    for (std::size_t i = 0; i < b.nodes.size(); ++i)
      b.expected.gather_across_faces(b.gas.u, b.nodes[i], energy, energy + count, all.data() + i * block, extinction);
    const std::vector<double> nothing = untouched(all.size());
    const auto found = [&](auto... of_light) {
      auto values = b.found(all.size(), [&](double* to) {
        b.by.gather_scalars(u, energy, energy + count, nodes, b.count(), to, of_light...);
      });
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] == nothing[i]) values[i] = nothing[i];  // beyond edges
      return values;
    };
    EXPECT_EQ(different(all, found(extinction)), 0);
    EXPECT_GT(different(all, found()), 1000);
  });
}

// A list of some blocks writes to as much memory, and one of none to nothing.
TYPED_TEST_P(device_ghosts_on, some_blocks_and_none) {
  this->for_settings([](const auto& b, const mesh::block_view<const double>& u, const int* nodes) {
    std::vector<double> all = untouched(3 * b.block());
    b.expected.gather(b.gas.u, b.nodes[4], 0.3, all.data());
    EXPECT_EQ(different(all, b.found(all.size(),
                                     [&](double* to) {
                                       b.by.gather(u, nodes + 4, 1, 0.3, to);
                                       b.by.gather(u, nullptr, 0, 0.3, to);
                                     })),
              0);
  });
}

// Blocks need not lie where their numbers say, and may have fields behind those that are wanted.
TYPED_TEST_P(device_ghosts_on, one_field_of_blocks_in_another_order) {
  this->for_settings([](const auto& b, const mesh::block_view<const double>& u, const int* nodes) {
    std::vector<int> place(b.nodes);
    std::vector<double> values(b.nodes.size() * 2 * mesh::cells);
    for (int n = 0; n < b.tree.size(); ++n) {
      const std::size_t at = (2 * static_cast<std::size_t>(place[static_cast<std::size_t>(n)]) + 1) * mesh::cells;
      std::copy_n(b.gas.u.at(n, 0), mesh::cells, values.data() + at);
    }
    for (int& p : place) p += 7;
    const auto values_there = b.here.copy_of(values);
    const auto place_there = b.here.copy_of(place);
    const mesh::block_view<const double> other{values_there.data(), place_there.data(), 7, 2};
    const std::size_t numbers = b.nodes.size() * mesh::ghosted_cells;
    EXPECT_EQ(different(b.found(numbers, [&](double* to) { b.by.gather_scalar(u, 0, nodes, b.count(), to); }),
                        b.found(numbers, [&](double* to) { b.by.gather_scalar(other, 1, nodes, b.count(), to); })),
              0);
  });
}

REGISTER_TYPED_TEST_SUITE_P(device_ghosts_on, all_fields, one_field, light, some_blocks_and_none,
                            one_field_of_blocks_in_another_order);

}  // namespace rednova::exchange::test
