// The sweeps as a device runs them, cell by cell, against the processor's, on any place.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "exec/on_place.hpp"
#include "gravity/leaf_cells.hpp"
#include "gravity/resident_plan.hpp"
#include "gravity/sweep_cells.hpp"
#include "gravity/sweeps.hpp"
#include "same_numbers.hpp"

namespace rednova::gravity::test {

using exec::test::to_host;

inline std::vector<double> random_numbers(int blocks, int numbers, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> all(index(blocks * block_size(numbers)));
  for (double& v : all) v = value(generator);
  return all;
}

inline std::vector<double> block_of(const std::vector<double>& all, int place, int numbers) {
  const double* first = block_at(all.data(), place, numbers);
  return {first, first + block_size(numbers)};
}

/// Matrices of the sweeps in a place's memory.
template <class Place>
struct tables_there {
  tables_there(const Place& where, const std::array<matrix, 8>& by, int numbers)
      : tables_there(where, translation_tables(by, numbers), numbers) {}
  tables_there(const Place& where, const translation_tables& all, int numbers)
      : entries(where.copy_of(all.entries)), starts(where.copy_of(all.starts)), rows(numbers) {}
  translations view() const { return {entries.data(), starts.data(), rows}; }
  typename Place::template array<matrix_entry> entries;
  typename Place::template array<int> starts;
  int rows;
};

template <class Opened>
class sweep_cells_on : public exec::test::place_test<Opened> {
 protected:
  using tables = tables_there<typename Opened::place>;
  /// Calls body(operators, numbers of a multipole) for each order.
  template <class Body>
  static void for_orders(const Body& body) {
    for (const int order : {3, 4, 5}) {
      SCOPED_TRACE(order);
      body(operators(order), basis_size(order));
    }
  }
};
TYPED_TEST_SUITE_P(sweep_cells_on);

// Blocks 0 and 1 are launched; their children are leaves or among blocks 2 to 5.
TYPED_TEST_P(sweep_cells_on, moments_of_children) {
  this->for_orders([this](const operators& by, int numbers) {
    constexpr int launched = 2, refined = 6, leaves = 5;
    const auto& here = this->here();
    const std::vector<double> masses = random_numbers(leaves, 1, 1), before = random_numbers(refined, numbers, 2);
    std::vector<either_block> children;
    for (int c = 0; c < 8 * launched; ++c) {
      children.push_back(c % 3 == 0 ? either_block{2 + c % 4, true} : either_block{c % leaves, false});
    }
    const typename TestFixture::tables up(here, by.m2m, numbers);
    const auto children_there = here.copy_of(children);
    const auto masses_there = here.copy_of(masses);
    auto there = here.copy_of(before);
    here.for_each(launched * mesh::cells,
                  lift_cells{up.view(), children_there.data(), 0, masses_there.data(), there.data()});
    const std::vector<double> moments = to_host(here, there);
    for (int b = 0; b < launched; ++b) {
      std::vector<double> own(index(block_size(numbers)), 0.0);
      for (int o = 0; o < 8; ++o) {
        const either_block child = children[index(8 * b + o)];
        if (child.refined) {
          m2m(by, o, block_at(before.data(), child.place, numbers), own.data());
        } else {
          p2m(by, o, block_at(masses.data(), child.place, 1), own.data());
        }
      }
      expect_same(block_of(moments, b, numbers), own, numbers);
    }
  });
}

// Blocks 2 to 4 are launched, children of 0 and 1. One cell of a parent has no mass: it hands no torque down.
TYPED_TEST_P(sweep_cells_on, expansions_and_torques_of_parents) {
  this->for_orders([this](const operators& by, int numbers) {
    constexpr int first = 2, blocks = 5;
    const auto& here = this->here();
    std::vector<double> moments = random_numbers(blocks, numbers, 3);
    moments[index(sorted_cell(numbers, 0, 1, 2, 3))] = 0;
    const std::vector<double> l = random_numbers(blocks, numbers, 4), t = random_numbers(blocks, 3, 5);
    const std::vector<child_of> parents{{-1, 0}, {-1, 0}, {0, 0}, {1, 5}, {0, 6}};
    std::vector<double> expected_l = l, expected_t = t;
    for (int b = first; b < blocks; ++b) {
      const auto [parent, octant] = parents[index(b)];
      l2l(by, octant, block_at(l.data(), parent, numbers), block_at(expected_l.data(), b, numbers));
      hand_down_torque(octant, block_at(t.data(), parent, 3), {block_at(moments.data(), parent, numbers), numbers},
                       {block_at(moments.data(), b, numbers), numbers}, block_at(expected_t.data(), b, 3));
    }
    const typename TestFixture::tables down(here, by.l2l, numbers);
    const auto parents_there = here.copy_of(parents);
    const auto moments_there = here.copy_of(moments);
    auto l_there = here.copy_of(l), t_there = here.copy_of(t);
    here.for_each((blocks - first) * mesh::cells, sink_cells{down.view(), parents_there.data(), first,
                                                             moments_there.data(), l_there.data(), t_there.data()});
    const std::vector<double> expansions = to_host(here, l_there), torques = to_host(here, t_there);
    for (int b = 0; b < blocks; ++b) {
      expect_same(block_of(expansions, b, numbers), block_of(expected_l, b, numbers), numbers);
      expect_same(block_of(torques, b, 3), block_of(expected_t, b, 3), 3);
    }
  });
}

// Bits: products alone.
TYPED_TEST_P(sweep_cells_on, masses_of_leaves_and_virtual_children) {
  constexpr int leaves = 3, fields = 2;
  const auto& here = this->here();
  const std::vector<double> density = random_numbers(leaves * fields, 1, 6), widths{0.5, 0.1, 0.3};
  const std::vector<int> number{2, 0, 1};
  const std::vector<octant_of> virtuals{{0, 3}, {2, 6}};
  std::vector<double> own(index(leaves * mesh::cells)), own_shares(index(2 * octant_cells));
  for (int leaf = 0; leaf < leaves; ++leaf) {
    const double h = widths[index(leaf)];
    gravity::set_masses(density.data() + number[index(leaf)] * fields * mesh::cells, h * h * h,
                        own.data() + leaf * mesh::cells);
  }
  for (int v = 0; v < 2; ++v) {
    const auto [leaf, octant] = virtuals[index(v)];
    share_mass(octant, own.data() + leaf * mesh::cells, own_shares.data() + v * octant_cells);
  }
  const auto density_there = here.copy_of(density), widths_there = here.copy_of(widths);
  const auto number_there = here.copy_of(number);
  const auto virtuals_there = here.copy_of(virtuals);
  typename TypeParam::place::template array<double> masses(own.size()), shares(own_shares.size());
  here.for_each(leaves * mesh::cells, set_leaf_masses{density_there.data(), index(fields * mesh::cells),
                                                      number_there.data(), widths_there.data(), masses.data()});
  here.for_each(2 * octant_cells, share_masses{virtuals_there.data(), masses.data(), shares.data()});
  EXPECT_EQ(to_host(here, masses), own);
  EXPECT_EQ(to_host(here, shares), own_shares);
}

REGISTER_TYPED_TEST_SUITE_P(sweep_cells_on, moments_of_children, expansions_and_torques_of_parents,
                            masses_of_leaves_and_virtual_children);

}  // namespace rednova::gravity::test
