#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "mesh/block_data.hpp"
#include "mesh/local_partition.hpp"

namespace rednova::mesh {
namespace {

tree random_tree(unsigned seed) {
  const domain box{.lower = {0, 0, 0}, .base_width = 1, .base = {2, 1, 1}, .periodic = {}};
  tree t = tree::uniform(box, 1);
  std::mt19937 random(seed);
  for (int round = 0; round < 3; ++round) {
    std::vector<int> flags;
    for (int n = 0; n < t.leaves(); ++n) flags.push_back(random() % 8 == 0 ? 1 : 0);
    t = tree(box, t.adapted(flags));
  }
  return t;
}

/// The leaves below a node, in the order in which its children come.
void add_leaves(const tree& t, int node, std::vector<int>& list) {
  if (t[node].leaf()) {
    list.push_back(node);
    return;
  }
  for (const int child : t[node].child) add_leaves(t, child, list);
}

TEST(local_partition, pieces_hold_all_leaves_along_the_curve_and_each_belongs_to_one_rank) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const tree t = random_tree(seed);
    for (const int ranks : {1, 2, 3, 7}) {
      const partition p = balanced(t, ranks);
      const local_partition s(t, p, ranks - 1);
      std::vector<int> leaves;
      std::vector<int> count(static_cast<std::size_t>(ranks), 0);
      for (const local_partition::piece& piece : s.pieces()) {
        const std::size_t before = leaves.size();
        add_leaves(t, piece.node, leaves);
        for (std::size_t i = before; i < leaves.size(); ++i) EXPECT_EQ(s.owner(leaves[i]), piece.owner);
        ++count[static_cast<std::size_t>(piece.owner)];
      }
      ASSERT_EQ(static_cast<int>(leaves.size()), t.leaves());
      EXPECT_TRUE(std::ranges::is_sorted(leaves));
      EXPECT_EQ(s.most_pieces(), *std::ranges::max_element(count));
    }
  }
}

TEST(local_partition, shares_of_all_ranks_are_the_tree) {
  const tree t = random_tree(9);
  const partition p = balanced(t, 3);
  std::vector<int> owned(static_cast<std::size_t>(t.size()), 0);
  for (int rank = 0; rank < 3; ++rank) {
    const local_partition s(t, p, rank);
    for (int leaf = s.leaves()[0]; leaf < s.leaves()[1]; ++leaf) ++owned[static_cast<std::size_t>(leaf)];
    for (const int node : s.refined()) {
      EXPECT_TRUE(s.owns(node));
      ++owned[static_cast<std::size_t>(node)];
    }
  }
  EXPECT_EQ(std::ranges::count(owned, 1), t.size());
}

TEST(local_partition, alone_owns_all) {
  const tree t = random_tree(1);
  const local_partition s(t);
  EXPECT_TRUE(s.alone());
  EXPECT_EQ(s.leaf_count(), t.leaves());
  EXPECT_EQ(static_cast<int>(s.refined().size()), t.size() - t.leaves());
  EXPECT_EQ(s.pieces().size(), 2u) << "the base blocks";
}

TEST(slots, own_leaves_come_first_and_each_node_has_its_place) {
  const tree t = random_tree(3);
  const local_partition s(t, balanced(t, 3), 1);
  const std::vector<int> others{t.leaves() + 1, 0, t.leaves() + 1};  // one twice: it is stored once
  const slots where = slots::of(t, s, others);
  EXPECT_EQ(where.count(), s.leaf_count() + 2);
  EXPECT_EQ(where[s.leaves()[0]], 0);
  EXPECT_EQ(where[s.leaves()[1] - 1], s.leaf_count() - 1);
  EXPECT_EQ(where[t.leaves() + 1], s.leaf_count());
  EXPECT_EQ(where[0], s.leaf_count() + 1);
  EXPECT_FALSE(where.holds(t.leaves()));
  block_data u(where, 2);
  EXPECT_EQ(u.at(s.leaves()[0] + 1, 1), u.data() + 3 * cells);
}

}  // namespace
}  // namespace rednova::mesh
