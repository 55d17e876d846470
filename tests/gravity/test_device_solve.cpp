// The solve of a device, run on the processor, against the solver of the cores.
#include <gtest/gtest.h>

#include "checking_device.hpp"
#include "same_fields.hpp"
#include "thread_block_space.hpp"

namespace rednova::gravity::test {
namespace {

struct setting {
  const char* name;
  int order, near2;
  config::cell_mass cells;
};

class device_solve_on : public testing::TestWithParam<setting> {};
INSTANTIATE_TEST_SUITE_P(solve, device_solve_on,
                         testing::Values(setting{"default", 3, 6, config::cell_mass::smooth},
                                         setting{"points", 3, 10, config::cell_mass::point},
                                         setting{"order_4", 4, 6, config::cell_mass::smooth},
                                         setting{"order_5", 5, 4, config::cell_mass::point}),
                         [](const auto& i) { return i.param.name; });

/// M2L, M2P and P2P are the processor's own here, and all sums have the same order: the results differ only where the
/// compiler fuses products with sums, for single numbers and for packs. Measured 2e-16 at most (potential,
/// acceleration) and 1e-15 (torques, what is left of larger numbers).
constexpr closeness fused{1e-15, 5e-15};

/// Nothing of a solve may be left in the next.
constexpr int twice = 2;

template <class Space>
void compare(const system& s, const setting& with, const closeness& within, int solves) {
  config::gravity par;
  par.order = with.order;
  par.near_radius_squared = with.near2;
  par.cell_mass = with.cells;
  const operators by(par.order);
  const interaction_lists lists(s.tree);
  const Space here;
  device_solve<Space> all(here, s.tree, lists, by, par.cell_mass, kernels_of(here, par, s.tree, by));
  const auto density = here.copy_of(std::vector<double>(s.rho.at(0), s.rho.at(0) + s.cells()));
  std::vector<double> result(index(s.cells() * result_fields));
  typename Space::template array<double> there(result.size());
  for (int n = 0; n < solves; ++n) all.solve(density.data(), mesh::cells, there.data());
  here.download(there.data(), std::span<double>(result));
  expect_same_fields(s, result.data(), solved(s, with.order, with.near2, 1, with.cells), within);
}

TEST_P(device_solve_on, three_levels) {
  const system s(three_levels(), two_blobs);
  ASSERT_EQ(s.tree.max_level(), 3);
  compare<host_space>(s, GetParam(), fused, twice);
}

TEST_P(device_solve_on, three_levels_on_the_checking_device) {
  compare<checking_space>({three_levels(), two_blobs}, GetParam(), fused, twice);
}

TEST_P(device_solve_on, one_level_and_one_block) {
  for (const int level : {0, 1}) {
    compare<host_space>({mesh::tree::uniform(unit_box(), level), two_blobs}, GetParam(), fused, twice);
  }
}

// One octant is refined: there are leaves beside a refined block, ghost blocks, and a refined block below the root.
TEST(device_solve, with_the_kernels_of_teams) {
  if (H != 4) GTEST_SKIP() << "the device's kernels are for blocks of 8³ cells";
  const auto corner = [](vec3d x, double) { return x.x < 0 && x.y < 0 && x.z < 0; };
  compare<thread_block_space>({refined_tree(2, corner), two_blobs}, {"", 3, 6, config::cell_mass::smooth},
                              device_rounding, 1);
}

// Leaves that interact with multipoles come first, levels from the root on; each block occurs once.
TEST(device_plan, sorts_blocks) {
  const mesh::tree tree = three_levels();
  const interaction_lists lists(tree);
  const mesh::local_partition whole(tree);
  const local_partition alone(nullptr, tree, lists, whole, basis_size(3));
  const device_plan blocks(tree, lists, alone);
  EXPECT_GT(blocks.beside_refined, 0);
  EXPECT_LT(blocks.beside_refined, tree.leaves());
  for (int i = 0; i < tree.leaves(); ++i) {
    bool beside = false;
    for (int s = 0; s < mesh::sides; ++s)
      beside = beside || lists.neighbour(blocks.leaf_at[index(i)], s) >= tree.leaves();
    EXPECT_EQ(beside, i < blocks.beside_refined);
  }
  std::vector<int> all(blocks.leaf_at);
  all.insert(all.end(), blocks.node_at.begin(), blocks.node_at.end());
  std::ranges::sort(all);
  for (int n = 0; n < tree.size(); ++n) EXPECT_EQ(all[index(n)], n);
  EXPECT_EQ(blocks.refined_blocks(), tree.size() - tree.leaves());
  EXPECT_EQ(blocks.expanded_blocks(), blocks.refined_blocks());
  EXPECT_EQ(blocks.ghosts, lists.ghost_blocks());
  EXPECT_EQ(blocks.levels(), tree.max_level());
  for (int level = 0; level < blocks.levels(); ++level) {
    for (int i = blocks.first_of_level[index(level)]; i < blocks.first_of_level[index(level) + 1]; ++i) {
      EXPECT_EQ(tree[blocks.node_at[index(i)]].level, level);
      EXPECT_LT(blocks.tables.parents[index(i)].parent, blocks.first_of_level[index(level)]);
    }
  }
}

}  // namespace
}  // namespace rednova::gravity::test
