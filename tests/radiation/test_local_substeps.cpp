// Blocks that take fewer substeps of light than others: who does, and what it costs in accuracy.
#include "radiation/local_substeps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "light_box.hpp"

namespace {

using namespace rednova;
using core::vec3d;
using test::light_box;
using test::lit_gas;

TEST(local_substeps, are_powers_of_two_that_divide_those_of_the_step) {
  EXPECT_EQ(radiation::longest_substep(16, 1), 16);
  EXPECT_EQ(radiation::longest_substep(16, 1.01), 8);
  EXPECT_EQ(radiation::longest_substep(16, 8), 2);
  EXPECT_EQ(radiation::longest_substep(16, 8.01), 1);
  EXPECT_EQ(radiation::longest_substep(16, 1e9), 1);
  EXPECT_EQ(radiation::longest_substep(12, 1), 4);
  EXPECT_EQ(radiation::longest_substep(7, 1), 1);
}

TEST(local_substeps, of_finer_leaves_are_no_longer_than_those_of_coarser_ones_beside) {
  const mesh::domain box{.lower = {-0.5, -0.5, -0.5}, .base_width = 1};
  mesh::tree t = mesh::tree::uniform(box, 2);
  for (int round = 0; round < 2; ++round) {
    std::vector<int> flags(static_cast<std::size_t>(t.leaves()), 0);
    flags[static_cast<std::size_t>(t.leaf_at({0.01, 0.01, 0.01}))] = 1;
    t = mesh::tree(box, t.adapted(flags));
  }
  exec::context context(2);
  radiation::local_substeps pace(t, mesh::local_partition(t));
  // One coarse leaf beside the finer ones cannot do with fewer than all.
  const int busy = t.leaf_at({-0.1, 0.1, 0.1});
  std::vector<int> wishes(static_cast<std::size_t>(t.leaves()), 8);
  wishes[static_cast<std::size_t>(busy)] = 1;
  pace.set(context, wishes);
  EXPECT_THAT(pace.lengths(), testing::ElementsAre(1, 8));

  int held = 0;
  std::set<int> sums;
  for (int leaf = 0; leaf < t.leaves(); ++leaf)
    for (int face = 0; face < mesh::faces; ++face) {
      const auto side = static_cast<std::size_t>(exchange::side_of_face(face));
      if (t[leaf].neighbour[side] == mesh::no_block) {
        const int coarser = t[t[leaf].parent].neighbour[side];
        EXPECT_LE(pace.length(leaf), pace.length(coarser));
        held += coarser == busy ? 1 : 0;
      }
      const int other = pace.faster_beside(leaf, face);
      if (other != mesh::no_block) {
        EXPECT_EQ(t[other].level, t[leaf].level);
        EXPECT_LT(pace.length(other), pace.length(leaf));
        EXPECT_GE(pace.sum(leaf, face), 0);
      }
      if (pace.sum(leaf, face) < 0) continue;
      EXPECT_TRUE(sums.insert(pace.sum(leaf, face)).second);
      EXPECT_TRUE(std::ranges::binary_search(pace.moved(1), leaf));
    }
  EXPECT_EQ(held, 4);
  EXPECT_EQ(static_cast<int>(sums.size()), pace.sums());
  EXPECT_GT(pace.sums(), 4);
}

/// E of the cells of a row after a time in which scattered light of its left half, of a depth of 1000 a cell, has gone
/// on by some cells into the other half, of a depth of 3; steps: into which the time is divided.
std::vector<double> escaped(int steps, int substeps, std::vector<int>* lengths = nullptr) {
  constexpr int n = 64;
  constexpr double h = 1.0 / n, opacity = 1e-17, time = 128 * h;
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = substeps;
  by.cfl = 0.3;
  by.opacities.constant = {0, opacity};
  by.energy_floor = 1e-30;
  std::array<config::boundary, 6> ends{};
  ends.fill(config::boundary::reflecting);
  light_box box(light_box::row(n, h, false), ends, by);
  box.fill(
      [](vec3d x) {
        return lit_gas{.density = (x.x < 0.5 ? 1000 : 3) / (opacity * h), .heat = 1e20, .energy = x.x < 0.5 ? 1 : 0.1};
      },
      time / steps);
  for (int step = 0; step < steps; ++step) box.advance(time / steps);
  if (lengths != nullptr) *lengths = box.solver().pace().lengths();
  std::vector<double> row(n);
  box.each_cell([&](int leaf, int c, vec3d x) { row[static_cast<std::size_t>(x.x / h)] = box.energy(leaf, c); });
  return row;
}

TEST(local_substeps, lose_accuracy_of_first_order_between_blocks_that_differ) {
  // Steps of one substep leave no block a choice.
  const std::vector<double> all = escaped(16 * 16, 1);
  std::vector<int> lengths;
  double error[2] = {}, gone = 0;
  for (const int halved : {0, 1}) {
    const std::vector<double> mixed = escaped(halved != 0 ? 32 : 16, halved != 0 ? 8 : 16, &lengths);
    EXPECT_EQ(lengths.front(), 1);
    EXPECT_GE(lengths.back(), 8);
    for (std::size_t i = 0; i < all.size(); ++i) error[halved] += std::abs(mixed[i] - all[i]) / 64;
  }
  for (std::size_t i = 32; i < all.size(); ++i) gone += (all[i] - 0.1) / 64;
  std::printf(
      "light that crosses from blocks of one substep to blocks of 16: %.2e, off by %.1e of it, %.1e with half "
      "the step\n",
      gone, error[0] / gone, error[1] / gone);
  EXPECT_LT(error[0], 0.01 * gone);
  EXPECT_LT(error[1], 0.7 * error[0]);
}

}  // namespace
