// The sweeps as a device runs them, cell by cell, against the processor's.
#include "gravity/sweep_cells.hpp"

#include <gtest/gtest.h>

#include <random>

#include "gravity/leaf_cells.hpp"
#include "gravity/resident_plan.hpp"
#include "gravity/sweeps.hpp"
#include "same_numbers.hpp"

namespace {

using namespace rednova;
using namespace rednova::gravity;

std::vector<double> random_numbers(int blocks, int numbers, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> all(index(blocks * block_size(numbers)));
  for (double& v : all) v = value(generator);
  return all;
}

std::vector<double> block_of(const std::vector<double>& all, int place, int numbers) {
  const double* first = block_at(all.data(), place, numbers);
  return {first, first + block_size(numbers)};
}

struct tables {
  explicit tables(const std::array<matrix, 8>& by, int numbers) : all(by, numbers), rows(numbers) {}
  translations view() const { return {all.entries.data(), all.starts.data(), rows}; }
  translation_tables all;
  int rows;
};

class sweep_cells : public testing::TestWithParam<int> {
 protected:
  int numbers() const { return basis_size(GetParam()); }
  operators by{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(order, sweep_cells, testing::Values(3, 4, 5));

// Blocks 0 and 1 are launched; their children are leaves or among blocks 2 to 5.
TEST_P(sweep_cells, moments_of_children_as_on_the_processor) {
  constexpr int launched = 2, refined = 6, leaves = 5;
  const std::vector<double> masses = random_numbers(leaves, 1, 1);
  std::vector<double> moments = random_numbers(refined, numbers(), 2);
  std::vector<either_block> children;
  for (int c = 0; c < 8 * launched; ++c) {
    children.push_back(c % 3 == 0 ? either_block{2 + c % 4, true} : either_block{c % leaves, false});
  }
  std::vector<std::vector<double>> expected;
  for (int b = 0; b < launched; ++b) {
    std::vector<double>& own = expected.emplace_back(index(block_size(numbers())), 0.0);
    for (int o = 0; o < 8; ++o) {
      const either_block child = children[index(8 * b + o)];
      if (child.refined) {
        m2m(by, o, block_at(moments.data(), child.place, numbers()), own.data());
      } else {
        p2m(by, o, block_at(masses.data(), child.place, 1), own.data());
      }
    }
  }
  const tables up(by.m2m, numbers());
  const lift_cells kernel{up.view(), children.data(), 0, masses.data(), moments.data()};
  for (int i = 0; i < launched * mesh::cells; ++i) kernel(i);
  for (int b = 0; b < launched; ++b) {
    test::expect_same(block_of(moments, b, numbers()), expected[index(b)], numbers());
  }
}

// Blocks 2 to 4 are launched, children of 0 and 1. One cell of a parent has no mass: it hands no torque down.
TEST_P(sweep_cells, expansions_and_torques_of_parents_as_on_the_processor) {
  constexpr int first = 2, blocks = 5;
  std::vector<double> moments = random_numbers(blocks, numbers(), 3);
  moments[index(sorted_cell(numbers(), 0, 1, 2, 3))] = 0;
  const std::vector<double> l = random_numbers(blocks, numbers(), 4), t = random_numbers(blocks, 3, 5);
  const std::vector<child_of> parents{{-1, 0}, {-1, 0}, {0, 0}, {1, 5}, {0, 6}};
  std::vector<double> expansions = l, torques = t, expected_l = l, expected_t = t;
  for (int b = first; b < blocks; ++b) {
    const auto [parent, octant] = parents[index(b)];
    l2l(by, octant, block_at(l.data(), parent, numbers()), block_at(expected_l.data(), b, numbers()));
    hand_down_torque(octant, block_at(t.data(), parent, 3), {block_at(moments.data(), parent, numbers()), numbers()},
                     {block_at(moments.data(), b, numbers()), numbers()}, block_at(expected_t.data(), b, 3));
  }
  const tables down(by.l2l, numbers());
  const sink_cells kernel{down.view(), parents.data(), first, moments.data(), expansions.data(), torques.data()};
  for (int i = 0; i < (blocks - first) * mesh::cells; ++i) kernel(i);
  for (int b = 0; b < blocks; ++b) {
    test::expect_same(block_of(expansions, b, numbers()), block_of(expected_l, b, numbers()), numbers());
    test::expect_same(block_of(torques, b, 3), block_of(expected_t, b, 3), 3);
  }
}

// Bits: products alone.
TEST(leaf_masses, and_those_of_virtual_children_as_on_the_processor) {
  constexpr int leaves = 3, fields = 2;
  const std::vector<double> density = random_numbers(leaves * fields, 1, 6), widths{0.5, 0.1, 0.3};
  const std::vector<int> number{2, 0, 1};
  const std::vector<octant_of> virtuals{{0, 3}, {2, 6}};
  std::vector<double> masses(index(leaves * mesh::cells)), own(masses.size()), shares(index(2 * octant_cells)),
      own_shares(shares.size());
  const set_leaf_masses set{density.data(), index(fields * mesh::cells), number.data(), widths.data(), masses.data()};
  for (int i = 0; i < leaves * mesh::cells; ++i) set(i);
  const share_masses share{virtuals.data(), masses.data(), shares.data()};
  for (int i = 0; i < 2 * octant_cells; ++i) share(i);
  for (int leaf = 0; leaf < leaves; ++leaf) {
    const double h = widths[index(leaf)];
    gravity::set_masses(density.data() + number[index(leaf)] * fields * mesh::cells, h * h * h,
                        own.data() + leaf * mesh::cells);
  }
  for (int v = 0; v < 2; ++v) {
    const auto [leaf, octant] = virtuals[index(v)];
    share_mass(octant, own.data() + leaf * mesh::cells, own_shares.data() + v * octant_cells);
  }
  EXPECT_EQ(masses, own);
  EXPECT_EQ(shares, own_shares);
}

}  // namespace
