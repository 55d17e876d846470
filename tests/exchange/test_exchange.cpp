#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "exchange/face_plan.hpp"
#include "exchange/ghosts.hpp"
#include "exchange/prolong_gas.hpp"
#include "exchange/restrict.hpp"
#include "random_gas.hpp"

namespace rednova::exchange {
namespace {

using core::vec3d;
using mesh::N;

mesh::tree refined_tree(const mesh::domain& box) {
  mesh::tree t = mesh::tree::uniform(box, 1);
  for (int round = 0; round < 3; ++round) {
    std::vector<int> flags(static_cast<std::size_t>(t.leaves()), 0);
    flags[static_cast<std::size_t>(t.leaf_at({0.11, -0.07, 0.03}))] = 1;
    t = mesh::tree(box, t.adapted(flags));
  }
  return t;
}

const std::array<config::boundary, 6> zero_gradient = [] {
  std::array<config::boundary, 6> b;
  b.fill(config::boundary::zero_gradient);
  return b;
}();

// Mass, momentum and orbital + spin angular momentum of a node's cells.
struct sums {
  double mass = 0;
  vec3d momentum, angular;
  double scale = 0;
};

sums add_up(const mesh::tree& t, const mesh::fields& f, const mesh::block_data& u, int n) {
  sums s;
  const double volume = std::pow(t.cell_width(n), 3);
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < N; ++i) {
        const int c = mesh::cell(i, j, k);
        const vec3d p{u.at(n, f.momentum(0))[c], u.at(n, f.momentum(1))[c], u.at(n, f.momentum(2))[c]};
        const vec3d l{u.at(n, f.spin(0))[c], u.at(n, f.spin(1))[c], u.at(n, f.spin(2))[c]};
        s.mass += volume * u.at(n, 0)[c];
        s.momentum += volume * p;
        s.angular += volume * (cross(t.centre(n, i, j, k), p) + l);
        s.scale += volume * (std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z) + std::fabs(l.x));
      }
    }
  }
  return s;
}

TEST(restrict, keeps_mass_momentum_and_angular_momentum) {
  const mesh::tree t = refined_tree({.lower = {-0.5, -0.5, -0.5}});
  const mesh::fields f(1);
  mesh::block_data u(t.size(), f.size());
  std::mt19937 random(2);
  std::uniform_real_distribution<double> value(-1, 1);
  for (int n = 0; n < t.leaves(); ++n) {
    for (int c = 0; c < f.size() * mesh::cells; ++c) u.at(n)[c] = value(random);
  }
  exec::context one(1);
  restrict_all(one, t, f, u);
  for (int n = t.leaves(); n < t.size(); ++n) {
    sums fine;
    for (int c : t[n].child) {
      const sums s = add_up(t, f, u, c);
      fine.mass += s.mass;
      fine.momentum += s.momentum;
      fine.angular += s.angular;
    }
    const sums coarse = add_up(t, f, u, n);
    const double rounding = 1e-14 * coarse.scale + 1e-14 * std::pow(N * t.cell_width(n), 3);
    EXPECT_NEAR(coarse.mass, fine.mass, rounding);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(coarse.momentum[d], fine.momentum[d], rounding);
      EXPECT_NEAR(coarse.angular[d], fine.angular[d], rounding);
    }
  }
}

// Every cell holds a linear function of place: the ghosts must hold it too, across levels, where no limiter acts.
TEST(ghosts, a_linear_field_is_seen_across_levels) {
  const mesh::tree t = refined_tree({.lower = {-0.5, -0.5, -0.5}});
  const mesh::fields f(1);
  mesh::block_data u(t.size(), f.size());
  const auto linear = [](vec3d x) { return 3 + x.x - 0.5 * x.y + 0.25 * x.z; };
  for (int n = 0; n < t.size(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) u.at(n, 0)[c] = linear(t.centre(n, c % N, c / N % N, c / N / N));
  }
  const ghosts g(t, f, zero_gradient);
  std::vector<double> out(static_cast<std::size_t>(f.size() * mesh::ghosted_cells));
  std::vector<double> scalar(mesh::ghosted_cells);
  int checked = 0;
  for (int n = 0; n < t.leaves(); ++n) {
    g.gather(u, n, 0, out.data());
    g.gather_scalar(u, n, 0, scalar.data());
    for (int k = -3; k < N + 3; ++k) {
      for (int j = -3; j < N + 3; ++j) {
        for (int i = -3; i < N + 3; ++i) {
          const auto layers = [](int p) { return p < 0 ? -p : p >= N ? p - N + 1 : 0; };
          const int beyond[3] = {layers(i), layers(j), layers(k)};
          const int across = (beyond[0] > 0) + (beyond[1] > 0) + (beyond[2] > 0);
          if (across > 2 || (across == 2 && std::max({beyond[0], beyond[1], beyond[2]}) > 1)) continue;  // not filled
          const vec3d x = t.centre(n, i, j, k);
          // Next to the boundary the coarse slopes see a copy of the cell itself and vanish.
          const double inner = 0.5 - 2 * 2 * t.cell_width(n);
          if (std::max({std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)}) > inner) continue;
          ++checked;
          EXPECT_NEAR(out[static_cast<std::size_t>(mesh::ghosted(i, j, k))], linear(x), 2e-15);
          EXPECT_EQ(scalar[static_cast<std::size_t>(mesh::ghosted(i, j, k))],
                    out[static_cast<std::size_t>(mesh::ghosted(i, j, k))]);
        }
      }
    }
  }
  EXPECT_GT(checked, 10000);
}

// Densities over eight orders of magnitude, as at a star's surface. Slopes of momentum and energy, limited on their
// own, would make velocities above 1 and negative heat.
TEST(ghosts, prolonged_gas_is_no_faster_than_the_gas_around_and_has_heat) {
  const mesh::tree t = refined_tree({.lower = {-0.5, -0.5, -0.5}});
  const mesh::fields f(2);
  mesh::block_data u(t.size(), f.size());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(0, 1);
  for (int n = 0; n < t.leaves(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      const auto at = [&](int field) -> double& { return u.at(n, field)[c]; };
      at(0) = std::pow(10, -8 * value(random));
      at(1) = std::pow(10, -8 * value(random));
      const double rho = at(0) + at(1);
      at(f.energy()) = rho * value(random);
      for (int d = 0; d < 3; ++d) {
        const double v = 2 * value(random) - 1;
        at(f.momentum(d)) = rho * v;
        at(f.energy()) += 0.5 * rho * v * v;
      }
    }
  }
  exec::context one(1);
  restrict_all(one, t, f, u);
  const ghosts g(t, f, zero_gradient);
  std::vector<double> out(static_cast<std::size_t>(f.size()) * mesh::ghosted_cells);
  int prolonged = 0;
  for (int n = 0; n < t.leaves(); ++n) {
    g.gather(u, n, 0, out.data());
    for (int d = 0; d < 3; ++d) {
      for (int upper = 0; upper < 2; ++upper) {
        const int beyond[3] = {d == 0, d == 1, d == 2};
        const int sign = upper == 1 ? 1 : -1;
        if (t[n].neighbour[static_cast<std::size_t>(
                mesh::side(sign * beyond[0], sign * beyond[1], sign * beyond[2]))] != mesh::no_block)
          continue;
        ++prolonged;
        for (int b = 0; b < N; ++b) {
          for (int a = 0; a < N; ++a) {
            int p[3];
            p[d] = upper == 1 ? N : -1;
            p[(d + 1) % 3] = a;
            p[(d + 2) % 3] = b;
            const auto at = [&](int field) {
              return out[static_cast<std::size_t>(field * mesh::ghosted_cells + mesh::ghosted(p[0], p[1], p[2]))];
            };
            const double rho = at(0) + at(1);
            double heat = at(f.energy());
            for (int k = 0; k < 3; ++k) {
              EXPECT_LE(std::fabs(at(f.momentum(k))), rho * (1 + 1e-14));
              heat -= 0.5 * at(f.momentum(k)) * at(f.momentum(k)) / rho;
            }
            EXPECT_GT(heat, -1e-14 * rho);
          }
        }
      }
    }
  }
  EXPECT_GT(prolonged, 10);
}

TEST(ghosts, periodic_and_reflecting_walls) {
  const mesh::domain box{.lower = {0, 0, 0}, .periodic = {false, true, false}};
  const mesh::tree t = mesh::tree::uniform(box, 1);
  const mesh::fields f(1);
  mesh::block_data u(t.size(), f.size());
  for (int n = 0; n < t.leaves(); ++n) {
    for (int q = 0; q < f.size(); ++q) {
      for (int c = 0; c < mesh::cells; ++c) u.at(n, q)[c] = 1 + q + t.centre(n, c % N, c / N % N, c / N / N).y + c % N;
    }
  }
  std::array<config::boundary, 6> walls{config::boundary::reflecting, config::boundary::reflecting,
                                        config::boundary::periodic,   config::boundary::periodic,
                                        config::boundary::outflow,    config::boundary::outflow};
  const ghosts g(t, f, walls);
  std::vector<double> out(static_cast<std::size_t>(f.size() * mesh::ghosted_cells));
  const int n = t.leaf_at({0.1, 0.1, 0.1});
  g.gather(u, n, 0, out.data());
  const auto at = [&](int q, int i, int j, int k) {
    return out[static_cast<std::size_t>(q * mesh::ghosted_cells + mesh::ghosted(i, j, k))];
  };
  for (int layer = 0; layer < 3; ++layer) {
    for (int q = 0; q < f.size(); ++q) {
      const bool flips = q == f.momentum(0) || q == f.spin(1) || q == f.spin(2);
      EXPECT_EQ(at(q, -1 - layer, 4, 4), (flips ? -1 : 1) * at(q, layer, 4, 4));
    }
    // Periodic in y: what lies below y = 0 is what lies below y = 1.
    EXPECT_DOUBLE_EQ(at(0, 4, -1 - layer, 4), 2 + (1 - (layer + 0.5) / (2 * mesh::N)) - 1 + 4);
    // Outflow in z: the gas moves up everywhere, so the lower boundary is a wall to it and the upper one open.
    EXPECT_EQ(at(f.momentum(2), 4, 4, -1 - layer), -at(f.momentum(2), 4, 4, layer));
    EXPECT_EQ(at(f.energy(), 4, 4, -1 - layer), at(f.energy(), 4, 4, layer));
    const int top = t.leaf_at({0.1, 0.1, 0.9});
    g.gather(u, top, 0, out.data());
    EXPECT_EQ(at(f.momentum(2), 4, 4, N + layer), at(f.momentum(2), 4, 4, N - 1));
    g.gather(u, n, 0, out.data());
  }
}

// Beyond the domain the effective gravity g - Omega × v turns round, whether gas is mirrored there or goes on: so a
// block and what lies beyond it are in equilibrium with each other.
TEST(ghosts, gravity_turns_round_at_boundaries) {
  const double rotation = 0.7;
  const mesh::tree t = mesh::tree::uniform({.lower = {-0.3, -0.6, -0.5}}, 0);
  const mesh::fields f(1, true);
  mesh::block_data u(t.size(), f.size());
  std::mt19937 random(5);
  std::uniform_real_distribution<double> value(0.5, 1);
  for (int c = 0; c < f.size() * mesh::cells; ++c) u.at(0)[c] = value(random);
  std::vector<double> out(static_cast<std::size_t>(f.size() * mesh::ghosted_cells));
  const auto at = [&](int q, const std::array<int, 3>& c) {
    return out[static_cast<std::size_t>(q * mesh::ghosted_cells + mesh::ghosted(c[0], c[1], c[2]))];
  };
  const auto effective = [&](int d, const std::array<int, 3>& c) {
    const double turning = d == 2 ? 0.0 : rotation * at(f.momentum(1 - d), c) / at(0, c);
    return at(f.acceleration(d), c) + (d == 0 ? turning : -turning);
  };
  for (const config::boundary kind : {config::boundary::reflecting, config::boundary::outflow}) {
    std::array<config::boundary, 6> boundaries;
    boundaries.fill(kind);
    ghosts(t, f, boundaries).gather(u, 0, rotation, out.data());
    for (int d = 0; d < 3; ++d)
      for (const bool upper : {false, true})
        for (int layer = 0; layer < mesh::ghosts; ++layer) {
          std::array<int, 3> beyond{3, 4, 5}, nearest = beyond, mirrored = beyond;
          const auto axis = static_cast<std::size_t>(d);
          beyond[axis] = upper ? N + layer : -1 - layer;
          nearest[axis] = upper ? N - 1 : 0;
          mirrored[axis] = upper ? N - 1 - layer : layer;
          const std::array<int, 3>& source = at(f.entropy(), beyond) == at(f.entropy(), mirrored) ? mirrored : nearest;
          EXPECT_NEAR(effective(d, beyond), -effective(d, source), 1e-15) << d << upper << layer;
        }
  }
}

TEST(face_plan, fine_faces_cover_the_coarse_ones) {
  const mesh::tree t = refined_tree({.lower = {-0.5, -0.5, -0.5}});
  const face_plan plan(t);
  EXPECT_EQ(plan.slots(), 4 * static_cast<int>(plan.coarse_faces().size()));
  EXPECT_GT(plan.slots(), 0);
  for (const coarse_face& f : plan.coarse_faces()) {
    EXPECT_TRUE(plan.finer(f.leaf) >> f.face & 1);
    for (int q = 0; q < 4; ++q) {
      const int fine = f.fine[static_cast<std::size_t>(q)];
      ASSERT_EQ(t[fine].level, t[f.leaf].level + 1);
      EXPECT_GE(plan.slot(fine, f.face ^ 1), 0);
      // The fine face lies in the coarse face's plane.
      const int d = f.face / 2;
      const double plane = t.corner(f.leaf)[d] + (f.face % 2 ? N * t.cell_width(f.leaf) : 0);
      EXPECT_DOUBLE_EQ(t.corner(fine)[d] + (f.face % 2 ? 0 : N * t.cell_width(fine)), plane);
    }
  }
}

}  // namespace
}  // namespace rednova::exchange
