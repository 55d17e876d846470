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

TEST(prolong, mean_of_the_children_is_the_parent_and_none_is_an_extremum) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(0, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    stencil s{
        value(random), {value(random), value(random), value(random)}, {value(random), value(random), value(random)}};
    const vec3d slope = limited_slopes(s);
    double sum = 0;
    for (int c = 0; c < 8; ++c) {
      const double v = child_value(s.centre, slope, c);
      sum += v;
      EXPECT_GE(v, 0);
      EXPECT_LE(v, 1);
    }
    EXPECT_NEAR(sum / 8, s.centre, 4e-16);  // eight roundings of numbers below one
  }
}

TEST(prolong, linear_fields_are_kept) {
  const stencil s{3, {2, 1, 5}, {4, 5, 1}};
  const vec3d slope = limited_slopes({3, {2.5, 2, 4}, {3.5, 4, 2}});
  EXPECT_EQ(slope, (vec3d{0.5, 1, -1}));
  EXPECT_EQ(child_value(3.0, slope, 1), 3 + 0.125 - 0.25 + 0.25);
  EXPECT_LE(std::fabs(limited_slopes(s).x), 1);
}

// A slope of one by depth, whatever the depths of the cells are, as long as light diffuses through this one.
TEST(prolong, light_that_diffuses_is_linear_in_depth) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> decade(-6, 6);
  for (int trial = 0; trial < 1000; ++trial) {
    stencil depth{1e7}, energy{1e14};
    for (int d = 0; d < 3; ++d) {
      depth.lower[d] = depth.centre * std::pow(10, decade(random));
      depth.upper[d] = depth.centre * std::pow(10, decade(random));
      energy.lower[d] = energy.centre - 0.5 * (depth.lower[d] + depth.centre);
      energy.upper[d] = energy.centre + 0.5 * (depth.upper[d] + depth.centre);
    }
    const vec3d slope = limited_slopes_of_light(energy, depth);
    // Half a cell beside each face at least; what the limiter of three directions leaves of it is the same for all.
    EXPECT_LE(slope.x, depth.centre * (1 + 1e-7));
    EXPECT_GT(slope.x, 0.6 * depth.centre);
    for (int d = 1; d < 3; ++d) EXPECT_NEAR(slope[d], slope.x, 1e-7 * depth.centre);
  }
}

// In all directions, with the surface on either side.
TEST(prolong, light_below_a_surface_has_the_slope_of_the_opaque_side) {
  constexpr double thick = 1e3, thin = 1e-9;
  for (int d = 0; d < 3; ++d)
    for (const bool up : {true, false}) {
      stencil depth{thick, {thick, thick, thick}, {thick, thick, thick}};
      stencil energy{0.5, {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
      const auto beyond = [&](stencil& s) -> double& { return up ? s.upper[d] : s.lower[d]; };
      (up ? energy.lower : energy.upper)[d] = 1.5;
      const auto slope = [&](const vec3d& of) { return up ? of[d] : -of[d]; };
      beyond(energy) = 0.001;
      beyond(depth) = thin;
      EXPECT_NEAR(slope(limited_slopes_of_light(energy, depth)), -0.998, 2e-6);  // twice that to the surface at most
      EXPECT_NEAR(slope(limited_slopes(energy)), -0.7495, 1e-15);
      // Within, cells of one depth.
      beyond(energy) = -0.2;
      beyond(depth) = thick;
      EXPECT_NEAR(slope(limited_slopes_of_light(energy, depth)), slope(limited_slopes(energy)), 1e-15);
      // Where light streams its energy says nothing of depths.
      beyond(energy) = 0.001;
      beyond(depth) = depth.centre = thin;
      EXPECT_NEAR(slope(limited_slopes_of_light(energy, depth)), slope(limited_slopes(energy)), 1e-15);
    }
}

// Gas whose density changes by a half across the cell, with light that is linear in its depth, of which a child has
// that in the middle of its own.
TEST(prolong, light_of_children_is_that_in_the_middle_of_their_depths) {
  const stencil extinction{8, {6, 8, 8}, {10, 8, 8}};  // of a width of 1e3
  const stencil energy{0, {-7, 0, 0}, {9, 0, 0}};
  const linear<double> light = light_in_cell<double>(energy, extinction, 1e3);
  // The lower child has 3.75 of 8, the upper one 4.25; the cell's middle is 4 below the face above.
  for (int child = 0; child < 8; ++child) {
    const double lower = -4 + 0.5 * 3.75, upper = 4 - 0.5 * 4.25;
    EXPECT_NEAR(light(child), child & 1 ? upper : lower, 1e-5);
  }
}

/// A coarse cell of random gas and its six neighbours: [field]. Densities over eight decades; heat from none of the
/// kinetic energy to all of it.
std::vector<stencil> random_stencils(const mesh::fields& f, std::mt19937& random) {
  std::uniform_real_distribution<double> distribution(0, 1);
  const auto unit = [&] { return distribution(random); };
  std::vector<stencil> u(static_cast<std::size_t>(f.size()));
  for (int cell = 0; cell < 7; ++cell) {
    const auto at = [&](int field) -> double& {
      stencil& s = u[static_cast<std::size_t>(field)];
      return cell == 0 ? s.centre : cell < 4 ? s.lower[cell - 1] : s.upper[cell - 4];
    };
    test::fill_random_cell(f, at, unit, [&] { return std::pow(10, -3 * unit()); });
  }
  return u;
}

// Mass, momentum, energy and angular momentum as they were, with velocities of the gas around and at least three
// quarters of the heat.
TEST(prolong, divided_gas_adds_up_to_the_cell) {
  const mesh::fields f(2);
  std::mt19937 random(11);
  const double h = 0.3;
  double least_heat = 1;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::vector<stencil> u = random_stencils(f, random);
    const auto centre = [&](int field) { return u[static_cast<std::size_t>(field)].centre; };
    std::vector<std::array<double, 8>> children(u.size());
    divide_gas(
        f, [&](int field) { return u[static_cast<std::size_t>(field)]; }, h,
        [&](int field, int c, double value) {
          children[static_cast<std::size_t>(field)][static_cast<std::size_t>(c)] = value;
        });
    const auto child = [&](int field, int c) {
      return children[static_cast<std::size_t>(field)][static_cast<std::size_t>(c)];
    };
    const auto mean = [&](int field) {
      double sum = 0;
      for (int c = 0; c < 8; ++c) sum += child(field, c) / 8;
      return sum;
    };
    const double rho = centre(0) + centre(1);
    // Some dozen roundings of a cell's largest values: momenta up to its density, energies up to thrice that.
    const double rounding = 2e-15 * rho;
    for (int k = 0; k < f.species(); ++k) EXPECT_NEAR(mean(k), centre(k), rounding);
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(mean(f.momentum(d)), centre(f.momentum(d)), rounding);
    EXPECT_NEAR(mean(f.energy()), centre(f.energy()), 3 * rounding);
    EXPECT_NEAR(mean(f.entropy()), centre(f.entropy()), rounding);
    vec3d orbital;
    for (int c = 0; c < 8; ++c) {
      const vec3d x{c & 1 ? h / 4 : -h / 4, c & 2 ? h / 4 : -h / 4, c & 4 ? h / 4 : -h / 4};
      orbital += 0.125 * cross(x, vec3d{child(f.momentum(0), c), child(f.momentum(1), c), child(f.momentum(2), c)});
    }
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(mean(f.spin(d)) + orbital[d], centre(f.spin(d)), rounding);

    const auto heat_of = [&](double energy, double mass, const vec3d& s) { return energy - 0.5 * dot(s, s) / mass; };
    const double heat =
        heat_of(centre(f.energy()), rho, {centre(f.momentum(0)), centre(f.momentum(1)), centre(f.momentum(2))});
    double kept = 0;
    for (int c = 0; c < 8; ++c) {
      const double mass = child(0, c) + child(1, c);
      const vec3d s{child(f.momentum(0), c), child(f.momentum(1), c), child(f.momentum(2), c)};
      for (int d = 0; d < 3; ++d) {
        double highest = -2, lowest = 2;
        const auto seen = [&](double momentum, double first, double second) {
          highest = std::max(highest, momentum / (first + second));
          lowest = std::min(lowest, momentum / (first + second));
        };
        const auto at = [&](int field) { return u[static_cast<std::size_t>(field)]; };
        seen(centre(f.momentum(d)), centre(0), centre(1));
        for (int e = 0; e < 3; ++e) {
          seen(at(f.momentum(d)).lower[e], at(0).lower[e], at(1).lower[e]);
          seen(at(f.momentum(d)).upper[e], at(0).upper[e], at(1).upper[e]);
        }
        EXPECT_LE(s[d] / mass, highest + 1e-14);
        EXPECT_GE(s[d] / mass, lowest - 1e-14);
      }
      EXPECT_GT(heat_of(child(f.energy(), c), mass, s), -1e-14 * mass);
      kept += heat_of(child(f.energy(), c), mass, s) / 8;
    }
    EXPECT_GT(kept, (1 - heat_for_motion) * heat - rounding);
    least_heat = std::min(least_heat, kept / heat);
  }
  EXPECT_NEAR(least_heat, 1 - heat_for_motion, 1e-3) << "the limit is to act";
}

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
