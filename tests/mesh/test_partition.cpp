#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "mesh/partition.hpp"

namespace rednova::mesh {
namespace {

using ::testing::ElementsAre;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Randomly refined several times.
tree random_tree(const domain& box, unsigned seed, int rounds) {
  tree t = tree::uniform(box, 1);
  std::mt19937 random(seed);
  for (int r = 0; r < rounds; ++r) {
    std::vector<int> flags;
    for (int n = 0; n < t.leaves(); ++n) flags.push_back(random() % 10 == 0 && t[n].level < 5 ? 1 : 0);
    t = tree(box, t.adapted(flags));
  }
  return t;
}

std::vector<double> random_costs(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::lognormal_distribution<double> spread(0, 1);
  std::vector<double> costs;
  for (int i = 0; i < count; ++i) costs.push_back(random() % 20 == 0 ? 0 : spread(random));
  return costs;
}

// The least largest load of pieces, by dynamic programming over all cuts.
double least_load(const std::vector<double>& costs, int pieces) {
  const int n = static_cast<int>(costs.size());
  std::vector<double> sum(at(n + 1));
  std::partial_sum(costs.begin(), costs.end(), sum.begin() + 1);
  std::vector<double> best = sum;  // of the first i leaves in one piece
  for (int p = 2; p <= pieces; ++p) {
    for (int i = n; i > 0; --i) {
      for (int cut = 0; cut < i; ++cut)
        best[at(i)] = std::min(best[at(i)], std::max(best[at(cut)], sum[at(i)] - sum[at(cut)]));
    }
  }
  return best[at(n)];
}

std::vector<int> leaves_of_ranks(const partition& p, const tree& t) {
  std::vector<int> count;
  for (int r = 0; r < p.ranks(); ++r) count.push_back(p.leaves(t, r)[1] - p.leaves(t, r)[0]);
  return count;
}

TEST(partition, equal_costs_differ_by_one_leaf_at_most) {
  const tree t = random_tree({.base = {2, 1, 3}}, 7, 5);
  for (const int ranks : {1, 2, 3, 7, 64, 100}) {
    const std::vector<int> count = leaves_of_ranks(balanced(t, ranks), t);
    const auto [least, most] = std::ranges::minmax(count);
    EXPECT_LE(most - least, 1) << ranks;
    EXPECT_EQ(std::accumulate(count.begin(), count.end(), 0), t.leaves());
  }
}

TEST(partition, largest_load_is_the_least_that_cuts_of_the_curve_reach) {
  const tree t = random_tree({}, 1, 3);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<double> costs = random_costs(t.leaves(), seed);
    for (const int ranks : {1, 2, 3, 5, 16, t.leaves() - 1, t.leaves()}) {
      const partition p = balanced(t, ranks, costs);
      const std::vector<double> load = loads(p, t, costs);
      // Sums over the same leaves in another order of additions.
      EXPECT_NEAR(*std::ranges::max_element(load) / least_load(costs, ranks), 1, 1e-13) << seed << ' ' << ranks;
      EXPECT_THAT(leaves_of_ranks(p, t), ::testing::Each(::testing::Ge(1)));
    }
  }
}

TEST(partition, pieces_are_even_where_one_heavy_leaf_leaves_a_choice) {
  const tree t = tree::uniform({}, 2);  // 64 leaves
  std::vector<double> costs(64, 1.0);
  costs[0] = 40;
  const std::vector<double> load = loads(balanced(t, 4, costs), t, costs);
  EXPECT_EQ(load[0], 40);
  for (std::size_t r = 1; r < 4; ++r) EXPECT_EQ(load[r], 21);
}

TEST(partition, bisection_finds_what_a_search_from_the_start_finds) {
  const tree t = random_tree({.base = {1, 2, 1}}, 4, 6);
  const std::vector<double> costs = random_costs(t.leaves(), 9);
  for (const int ranks : {1, 2, 13, 5 * t.leaves()}) {
    const partition p = balanced(t, ranks, costs);
    const std::vector<int> owner = p.owners(t);
    for (int n = 0; n < t.size(); ++n) {
      int leaf = t[n].leaf() ? n : t[n].child[4];
      while (!t[leaf].leaf()) leaf = t[leaf].child[0];
      int expected = 0;
      while (leaf >= p.leaves(t, expected)[1]) ++expected;
      ASSERT_EQ(p.owner(t[n]), expected) << n;
      ASSERT_EQ(owner[at(n)], expected);
    }
  }
}

TEST(partition, pieces_of_levels_hold_the_refined_nodes_that_a_rank_owns) {
  const tree t = random_tree({}, 5, 6);
  const partition p = balanced(t, 6);
  int nodes = 0;
  for (int level = 0; level < t.max_level(); ++level) {
    for (int r = 0; r < p.ranks(); ++r) {
      const auto [first, last] = p.refined(t, level, r);
      nodes += last - first;
      for (int n = first; n < last; ++n) EXPECT_EQ(p.owner(t[n]), r);
    }
  }
  EXPECT_EQ(nodes, t.size() - t.leaves());
}

TEST(partition, more_ranks_than_leaves_leave_the_last_ones_empty) {
  const tree t = tree::uniform({}, 1);
  EXPECT_THAT(leaves_of_ranks(balanced(t, 10), t), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 0, 0));
  const tree one = tree::uniform({}, 0);
  EXPECT_THAT(leaves_of_ranks(balanced(one, 3, std::vector<double>{0.0}), one), ElementsAre(1, 0, 0));
  EXPECT_THAT(leaves_of_ranks(partition(3), t), ElementsAre(8, 0, 0));
}

TEST(partition, keeps_its_meaning_when_the_mesh_adapts) {
  const tree t = random_tree({}, 2, 4);
  const partition p = balanced(t, 5);
  std::vector<int> flags(at(t.leaves()), 0);
  for (int n = 0; n < t.leaves(); n += 3) flags[at(n)] = 1;
  const tree finer({}, t.adapted(flags));
  for (int n = 0; n < finer.leaves(); ++n) {
    const int before = t.leaf_at(finer.centre(n, 0, 0, 0));
    EXPECT_EQ(p.owner(finer[n].id), p.owner(t[before].id));
  }
  // Merged siblings go to the first one's owner.
  const tree coarser({}, finer.adapted(std::vector<int>(at(finer.leaves()), -1)));
  for (int n = 0; n < coarser.leaves(); ++n) {
    EXPECT_EQ(p.owner(coarser[n].id), p.owner(finer[finer.leaf_at(coarser.corner(n))].id));
  }
  EXPECT_EQ(partition(p.splitters()), p);
}

TEST(partition, costs_of_refined_nodes_go_to_their_owner) {
  const tree t = random_tree({}, 8, 5);
  const std::vector<double> of_nodes = random_costs(t.size(), 3);
  const std::vector<double> costs = costs_of_leaves(t, of_nodes);
  const partition p = balanced(t, 4, costs);
  std::vector<double> expected(4, 0.0);
  for (int n = 0; n < t.size(); ++n) expected[at(p.owner(t[n]))] += of_nodes[at(n)];
  const std::vector<double> load = loads(p, t, costs);
  for (std::size_t r = 0; r < 4; ++r) EXPECT_NEAR(load[r], expected[r], 1e-12 * expected[r]);
}

TEST(partition, no_leaf_carries_more_than_one_refined_node) {
  const tree t = random_tree({}, 8, 7);
  std::vector<double> of_nodes(at(t.size()), 1.0);
  std::fill_n(of_nodes.begin(), t.leaves(), 0.0);
  const std::vector<double> costs = costs_of_leaves(t, of_nodes);
  EXPECT_EQ(*std::ranges::max_element(costs), 1);
  EXPECT_EQ(std::accumulate(costs.begin(), costs.end(), 0.0), t.size() - t.leaves());
}

TEST(rebalance, only_where_it_helps) {
  const tree t = tree::uniform({}, 1);  // 8 leaves
  const std::vector<double> equal(8, 1.0);
  const partition even = balanced(t, 4);
  EXPECT_EQ(imbalance(even, t, equal), 1);
  EXPECT_EQ(imbalance(partition(4), t, equal), 4);
  EXPECT_EQ(rebalanced(partition(4), t, equal, 0.1), even);
  EXPECT_EQ(rebalanced(even, t, equal, 0.0), std::nullopt);
  // 8 leaves on 3 ranks: 9/8 is the best there is.
  const partition thirds = balanced(t, 3);
  EXPECT_EQ(imbalance(thirds, t, equal), 9.0 / 8.0);
  EXPECT_EQ(rebalanced(thirds, t, equal, 0.01), std::nullopt);
  const std::vector<double> heavy{4, 1, 1, 1, 1, 1, 1, 1};
  const auto better = rebalanced(even, t, heavy, 0.1);  // 5 on the first rank
  ASSERT_TRUE(better);
  EXPECT_THAT(loads(*better, t, heavy), ElementsAre(4, 2, 2, 3));
  EXPECT_EQ(rebalanced(even, t, heavy, 0.3), std::nullopt);
}

TEST(migration, runs_of_leaves_say_who_gives_what_to_whom) {
  const tree t = tree::uniform({}, 1);
  EXPECT_THAT(migrations(t, partition(2), balanced(t, 2)), ElementsAre(migration{4, 8, 0, 1}));
  EXPECT_TRUE(migrations(t, balanced(t, 2), balanced(t, 2)).empty());
}

TEST(migration, after_all_moves_each_leaf_is_with_its_new_owner) {
  const tree t = random_tree({}, 6, 6);
  for (unsigned seed = 0; seed < 10; ++seed) {
    const partition a = balanced(t, 17, random_costs(t.leaves(), seed));
    const partition b = balanced(t, 17, random_costs(t.leaves(), seed + 100));
    std::vector<int> owner = a.owners(t);
    for (const migration& m : migrations(t, a, b)) {
      EXPECT_NE(m.from, m.to);
      for (int leaf = m.first; leaf < m.last; ++leaf) {
        EXPECT_EQ(owner[at(leaf)], m.from);
        owner[at(leaf)] = m.to;
      }
    }
    owner.resize(at(t.leaves()));
    std::vector<int> expected = b.owners(t);
    expected.resize(at(t.leaves()));
    EXPECT_EQ(owner, expected);
  }
}

TEST(partition, mistakes_are_contracts) {
  const tree t = tree::uniform({}, 1);
  EXPECT_THROW(partition(0), std::logic_error);
  EXPECT_THROW(partition(std::vector<std::uint64_t>{0, 5, 3}), std::logic_error);
  EXPECT_THROW(balanced(t, 2, std::vector<double>(7, 1.0)), std::logic_error);
  EXPECT_THROW(balanced(t, 2, std::vector<double>(8, -1.0)), std::logic_error);
}

}  // namespace
}  // namespace rednova::mesh
