// What a rank asks others for is what its blocks read: no cell less (they read what was never sent as "not a number"),
// and what a sum over ranks is does not depend on how the leaves are divided.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "exchange/gather.hpp"
#include "exchange/ghosts.hpp"
#include "exchange/halo_requests.hpp"
#include "exchange/restrict.hpp"

namespace rednova::exchange {
namespace {

constexpr int species = 2;

mesh::tree refined_tree(bool periodic) {
  const mesh::domain box{
      .lower = {-1, -1, -1}, .base_width = 2, .base = {1, 1, 1}, .periodic = {periodic, periodic, periodic}};
  mesh::tree t = mesh::tree::uniform(box, 2);
  for (int round = 0; round < 2; ++round) {
    std::vector<int> flags(static_cast<std::size_t>(t.leaves()), 0);
    flags[static_cast<std::size_t>(t.leaf_at({0.11, -0.07, 0.03}))] = 1;
    flags[static_cast<std::size_t>(t.leaf_at({-0.9, 0.9, 0.9}))] = 1;
    t = mesh::tree(box, t.adapted(flags));
  }
  return t;
}

struct random_fields {
  explicit random_fields(const mesh::tree& t) : fields(species), u(t.size(), fields.size()) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> value(1, 2);
    for (std::size_t i = 0; i < u.bytes() / sizeof(double); ++i) u.data()[i] = value(random);
    restrict_all(one, t, fields, u);
  }
  exec::context one{1};
  mesh::fields fields;
  mesh::block_data u;
};

class flagged : public ::testing::TestWithParam<bool> {};

TEST_P(flagged, cells_are_those_that_ghosts_read) {
  const mesh::tree t = refined_tree(GetParam());
  random_fields f(t);
  std::array<config::boundary, 6> outer;
  outer.fill(GetParam() ? config::boundary::periodic : config::boundary::outflow);
  const ghosts gather(t, f.fields, outer);
  const mesh::partition p = mesh::balanced(t, 3);
  for (int rank = 0; rank < 3; ++rank) {
    const mesh::local_partition own(t, p, rank);
    halo_requests all(t, own);
    for (int leaf = own.leaves()[0]; leaf < own.leaves()[1]; ++leaf) all.ghosts_of(leaf);
    mesh::block_data block_exchange(t.size(), f.fields.size());
    std::fill_n(block_exchange.data(), block_exchange.bytes() / sizeof(double),
                std::numeric_limits<double>::quiet_NaN());
    const auto copy = [&](int node, int first, int count) {
      for (int field = 0; field < f.fields.size(); ++field) {
        std::copy_n(f.u.at(node, field) + first, count, block_exchange.at(node, field) + first);
      }
    };
    for (int node = 0; node < t.size(); ++node) {
      if (own.owns(node)) copy(node, 0, mesh::cells);
    }
    for (const request& w : all.requests()) {
      EXPECT_EQ(w.from, own.owner(w.node));
      EXPECT_NE(w.from, rank);
      for (const run& r : w.runs) copy(w.node, r.first, r.count);
    }
    std::vector<double> from_halo(static_cast<std::size_t>(f.fields.size()) * mesh::ghosted_cells, 0.0);
    std::vector<double> from_all = from_halo;
    for (int leaf = own.leaves()[0]; leaf < own.leaves()[1]; ++leaf) {
      gather.gather(block_exchange, leaf, 0.1, from_halo.data());
      gather.gather(f.u, leaf, 0.1, from_all.data());
      ASSERT_EQ(from_halo, from_all) << "leaf " << leaf << " of rank " << rank;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(boundaries, flagged, ::testing::Values(false, true));

TEST(fold_leaves, adds_along_the_octree) {
  const mesh::tree t = refined_tree(false);
  exec::context one{1};
  const mesh::local_partition all(t);
  const auto term = [](int leaf) { return std::sin(1.0 + leaf) * std::pow(10.0, leaf % 7); };
  const std::vector<double> sum = fold_leaves<double>(
      one, "sum", t, all, 2,
      [&](int leaf, double* row) {
        row[0] = term(leaf);
        row[1] = 1;
      },
      [](double* a, const double* b) {
        a[0] += b[0];
        a[1] += b[1];
      });
  const auto by_hand = [&](const auto& self, int node) -> double {
    if (t[node].leaf()) return term(node);
    double total = self(self, t[node].child[0]);
    for (std::size_t c = 1; c < 8; ++c) total += self(self, t[node].child[c]);
    return total;
  };
  EXPECT_EQ(sum[0], by_hand(by_hand, mesh::roots(t)[0]));
  EXPECT_EQ(sum[1], t.leaves());
}

}  // namespace
}  // namespace rednova::exchange
