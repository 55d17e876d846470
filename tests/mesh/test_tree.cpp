#include <gtest/gtest.h>

#include <random>

#include "mesh/fields.hpp"
#include "mesh/tree.hpp"

namespace rednova::mesh {
namespace {

// Randomly refined and merged several times.
tree random_tree(const domain& box, unsigned seed, int rounds) {
  tree t = tree::uniform(box, 1);
  std::mt19937 random(seed);
  for (int r = 0; r < rounds; ++r) {
    std::vector<int> flags;
    for (int n = 0; n < t.leaves(); ++n)
      flags.push_back(random() % 10 == 0 && t[n].level < 5 ? 1 : t[n].level > 0 ? -1 : 0);
    t = tree(box, t.adapted(flags));
  }
  return t;
}

TEST(block_id, place_and_level_come_back) {
  const core::vec3i p{123, 77, 4095};
  const block_id id = block_id::at(12, p);
  EXPECT_EQ(id.level(), 12);
  EXPECT_EQ(id.place(), p);
  EXPECT_EQ(id.child(5).parent(), id);
  EXPECT_EQ(id.child(5).octant(), 5);
  EXPECT_EQ(id.child(5).place(), (core::vec3i{247, 154, 8191}));
}

TEST(block_id, deepest_level_fits) {
  const int last = (1 << 20) - 1;
  EXPECT_EQ(block_id::at(20, {last, last, last}).place(), (core::vec3i{last, last, last}));
}

TEST(tree, tiles_the_domain) {
  const domain box{.lower = {-1, -1, -1}, .base_width = 1, .base = {2, 2, 2}};
  const tree t = random_tree(box, 3, 6);
  double volume = 0;
  for (int n = 0; n < t.leaves(); ++n) volume += std::pow(t.cell_width(n) * N, 3);
  EXPECT_DOUBLE_EQ(volume, 8.0);  // powers of two: exact
  for (int n = 0; n < t.leaves(); ++n) EXPECT_EQ(t.leaf_at(t.centre(n, 3, 0, N - 1)), n);
}

TEST(tree, leaves_follow_the_curve_and_refined_nodes_come_finest_first) {
  const tree t = random_tree({}, 5, 6);
  for (int n = 1; n < t.leaves(); ++n) EXPECT_LT(t[n - 1].id.curve(), t[n].id.curve());
  for (int n = t.leaves() + 1; n < t.size(); ++n) EXPECT_GE(t[n - 1].level, t[n].level);
  for (int l = 0; l < t.max_level(); ++l) {
    for (int n = t.refined(l)[0]; n < t.refined(l)[1]; ++n) EXPECT_EQ(t[n].level, l);
  }
}

TEST(tree, neighbours_are_mutual_and_balanced) {
  for (const bool periodic : {false, true}) {
    const domain box{.base = {2, 1, 1}, .periodic = {periodic, periodic, periodic}};
    const tree t = random_tree(box, 11, 7);
    ASSERT_GT(t.max_level(), 3);
    for (int n = 0; n < t.size(); ++n) {
      for (int s = 0; s < sides; ++s) {
        const int m = t[n].neighbour[static_cast<std::size_t>(s)];
        if (m >= 0) {
          EXPECT_EQ(t[m].neighbour[static_cast<std::size_t>(sides - 1 - s)], n);
        } else if (m == no_block) {
          // 2:1: a missing neighbour means a leaf exactly one level coarser, so refined nodes have none missing.
          EXPECT_TRUE(t[n].leaf());
          EXPECT_GT(t[n].level, 0);
        } else {
          EXPECT_FALSE(periodic);
        }
      }
    }
  }
}

TEST(tree, refining_one_leaf_deep_keeps_balance) {
  tree t = tree::uniform({}, 0);
  for (int l = 0; l < 8; ++l) {
    std::vector<int> flags(static_cast<std::size_t>(t.leaves()), 0);
    flags[static_cast<std::size_t>(t.leaf_at({0.01, 0.02, 0.03}))] = 1;
    t = tree({}, t.adapted(flags));
  }
  EXPECT_EQ(t[t.leaf_at({0.01, 0.02, 0.03})].level, 8);
  for (int n = t.leaves(); n < t.size(); ++n) {
    for (int m : t[n].neighbour) EXPECT_NE(m, no_block);
  }
}

TEST(tree, all_merge_back_to_the_root) {
  tree t = random_tree({}, 7, 6);
  for (int r = 0; r < 10; ++r) t = tree({}, t.adapted(std::vector<int>(static_cast<std::size_t>(t.leaves()), -1)));
  EXPECT_EQ(t.size(), 1);
}

TEST(tree, a_gap_breaks_the_contract) {
  std::vector<block_id> leaves;
  for (int o = 0; o < 7; ++o) leaves.push_back(block_id().child(o));
  EXPECT_THROW(tree({}, leaves), std::logic_error);
}

TEST(fields, every_field_has_a_row) {
  const fields f({"core", "envelope"});
  EXPECT_EQ(f.size(), 10);
  EXPECT_EQ(f[f.species(1)].name, "envelope");
  EXPECT_EQ(f[f.momentum(2)].name, "momentum_z");
  EXPECT_EQ(f[f.spin(0)].kind, field_kind::spin);
  EXPECT_EQ(f[f.entropy()].name, "entropy_tracer");
}

}  // namespace
}  // namespace rednova::mesh
