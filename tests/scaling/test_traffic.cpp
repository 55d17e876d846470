#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "scaling/traffic.hpp"

namespace rednova::scaling {
namespace {

constexpr message_sizes gas_only{.fields = 9, .multipole_numbers = 0};
constexpr message_sizes with_gravity{.fields = 13, .multipole_numbers = 16};
constexpr std::int64_t N = mesh::N, face = N * N, cells = mesh::cells, byte = 8;

amount of(const std::vector<traffic::by_kind>& all, int rank, message_kind kind) {
  return all[static_cast<std::size_t>(rank)][static_cast<std::size_t>(kind)];
}

mesh::tree random_tree(unsigned seed) {
  mesh::tree t = mesh::tree::uniform({}, 1);
  std::mt19937 random(seed);
  for (int round = 0; round < 4; ++round) {
    std::vector<int> flags;
    for (int n = 0; n < t.leaves(); ++n) flags.push_back(random() % 8 == 0 ? 1 : 0);
    t = mesh::tree({}, t.adapted(flags));
  }
  return t;
}

TEST(traffic, a_lone_rank_sends_nothing) {
  const mesh::tree t = random_tree(1);
  const traffic found = count_traffic(t, mesh::partition(3), with_gravity);
  for (int r = 0; r < 3; ++r) {
    EXPECT_EQ(found.received(r, 3), amount{});
    EXPECT_EQ(found.sent(r, 3), amount{});
  }
}

// Eight leaves in two halves above each other; the root is the upper half's.
TEST(traffic, two_halves_of_a_cube) {
  const mesh::tree t = mesh::tree::uniform({}, 1);
  const traffic found = count_traffic(t, balanced(t, 2), with_gravity);
  const std::int64_t sides = 3 * face + 2 * N;  // the face above or below, two edges there
  for (int r = 0; r < 2; ++r) {
    EXPECT_EQ(of(found.in, r, message_kind::ghosts), (amount{1, 4 * sides * 13 * byte}));
    EXPECT_EQ(of(found.out, r, message_kind::ghosts), (amount{1, 4 * sides * 13 * byte}));
    EXPECT_EQ(of(found.in, r, message_kind::halos), (amount{1, 4 * cells * byte}));
    EXPECT_EQ(of(found.in, r, message_kind::potentials), (amount{1, 4 * 4 * face * byte}));
    EXPECT_EQ(of(found.in, r, message_kind::fluxes), amount{});
    EXPECT_EQ(found.neighbours[static_cast<std::size_t>(r)], 1);
  }
  EXPECT_EQ(of(found.in, 1, message_kind::restricted), (amount{1, 4 * cells / 8 * 13 * byte}));
  EXPECT_EQ(of(found.in, 1, message_kind::moments), (amount{1, 4 * cells * byte}));
  EXPECT_EQ(of(found.in, 1, message_kind::expansions), amount{});
  EXPECT_EQ(of(found.in, 0, message_kind::expansions), (amount{1, 4 * cells / 8 * 20 * byte}));
}

// Beside eight fine leaves a coarse one, on another rank.
TEST(traffic, coarse_beside_fine) {
  const mesh::domain box{.base = {2, 1, 1}};
  std::vector<int> flags{1, 0};
  const mesh::tree t(box, mesh::tree::uniform(box, 0).adapted(flags));
  const mesh::partition p({0, t[8].id.curve()});
  const traffic found = count_traffic(t, p, gas_only);
  // Coarse cells behind a fine face: two layers of a quarter of the face, for slopes a layer behind them and half a
  // ring about them (the rest lies in the parent or outside). Behind each of two edges a row, for slopes the rows
  // beside it in x and y and one cell at its end.
  const std::int64_t q = N / 2, behind_face = 3 * q * q + 2 * 2 * q, behind_edge = 4 * q + 1;
  EXPECT_EQ(of(found.in, 0, message_kind::ghosts), (amount{1, 4 * (behind_face + 2 * behind_edge) * 9 * byte}));
  EXPECT_EQ(of(found.in, 1, message_kind::ghosts), (amount{1, 3 * face * 9 * byte}));
  EXPECT_EQ(of(found.in, 1, message_kind::fluxes), (amount{1, 4 * face * 9 * byte}));
  EXPECT_EQ(of(found.in, 0, message_kind::fluxes), amount{});
  EXPECT_EQ(found.received(1, 1).messages, 2);
  EXPECT_EQ(found.received(1, 3).messages, 6);
}

// Gravity is solved for once a step, its work found in each stage.
TEST(traffic, gravity_exchanges_once_a_step) {
  const mesh::tree t = random_tree(1);
  const traffic found = count_traffic(t, balanced(t, 3), with_gravity);
  amount thrice = found.received(1, 3), in_each_stage;
  for (const auto kind :
       {message_kind::restricted, message_kind::ghosts, message_kind::fluxes, message_kind::potentials})
    in_each_stage += of(found.in, 1, kind);
  for (int n = 0; n < 3; ++n) thrice += {-in_each_stage.messages, -in_each_stage.bytes};
  amount of_gravity;
  for (const auto kind : {message_kind::moments, message_kind::halos, message_kind::expansions})
    of_gravity += of(found.in, 1, kind);
  EXPECT_GT(of_gravity.bytes, 0);
  EXPECT_EQ(thrice, of_gravity);
}

TEST(traffic, all_that_is_sent_is_received) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const mesh::tree t = random_tree(seed);
    for (const int ranks : {2, 5, 50, t.leaves() + 7}) {
      const traffic found = count_traffic(t, balanced(t, ranks), with_gravity);
      for (int kind = 0; kind < message_kinds; ++kind) {
        amount in, out;
        for (int r = 0; r < ranks; ++r) {
          in += of(found.in, r, static_cast<message_kind>(kind));
          out += of(found.out, r, static_cast<message_kind>(kind));
        }
        EXPECT_EQ(in, out) << name_of(static_cast<message_kind>(kind));
        EXPECT_GT(in.bytes, 0) << name_of(static_cast<message_kind>(kind));
      }
      if (ranks > t.leaves()) {
        EXPECT_EQ(found.received(ranks - 1, 3).messages + found.sent(ranks - 1, 3).messages, 0);
      }
    }
  }
}

// The masses that a leaf's rank is sent: those of all leaves that touch it, found here by their corners.
TEST(traffic, halos_bring_the_masses_of_all_leaves_that_touch) {
  const mesh::tree t = random_tree(3);
  const mesh::partition p = balanced(t, t.leaves());
  const traffic found = count_traffic(t, p, with_gravity);
  const std::vector<int> owner = p.owners(t);
  for (int a = 0; a < t.leaves(); ++a) {
    if (std::find(owner.begin() + t.leaves(), owner.end(), a) != owner.end()) continue;  // with a refined node
    std::int64_t numbers = 0;
    for (int b = 0; b < t.leaves(); ++b) {
      bool touch = a != b;
      for (int d = 0; d < 3; ++d) {
        const double la = t.corner(a)[d], lb = t.corner(b)[d];
        touch = touch && la <= lb + mesh::N * t.cell_width(b) && lb <= la + mesh::N * t.cell_width(a);
      }
      if (touch) numbers += cells;
    }
    for (const int m : t[a].neighbour) numbers += m >= t.leaves() ? 16 * cells : 0;
    EXPECT_EQ(of(found.in, a, message_kind::halos).bytes, numbers * byte) << a;
  }
}

}  // namespace
}  // namespace rednova::scaling
