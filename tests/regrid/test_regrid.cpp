#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gas_on_mesh.hpp"
#include "gravity/result_field.hpp"

namespace rednova::regrid {
namespace {

using test::gas_on_mesh;
using test::N;
using test::vec3d;

struct sums {
  double mass = 0, energy = 0;
  vec3d momentum, angular;
};

sums add_up(const gas_on_mesh& g) {
  sums s;
  const mesh::fields& f = g.fields;
  for (int n = 0; n < g.tree.leaves(); ++n) {
    const double volume = std::pow(g.tree.cell_width(n), 3);
    for (int c = 0; c < mesh::cells; ++c) {
      const vec3d x = g.tree.centre(n, c % N, c / N % N, c / N / N);
      const auto u = [&](int q) { return volume * g.u.at(n, q)[c]; };
      const vec3d p{u(f.momentum(0)), u(f.momentum(1)), u(f.momentum(2))};
      s.mass += u(0) + u(1);
      s.energy += u(f.energy());
      s.momentum += p;
      s.angular += cross(x, p) + vec3d{u(f.spin(0)), u(f.spin(1)), u(f.spin(2))};
    }
  }
  return s;
}

TEST(criteria, density_level_falls_by_one_for_each_factor_of_eight) {
  config::mesh m;
  m.max_level = 6;
  config::refine r;
  r.density = 1;
  r.accretor_core_levels = 2;
  const criteria rule(m, r, {.species = {"accretor_core"}});
  EXPECT_EQ(rule.density_level(1.01), 4);  // two levels are kept for the core
  EXPECT_EQ(rule.density_level(0.99), 3);
  EXPECT_EQ(rule.density_level(1.01 / 8), 3);
  EXPECT_EQ(rule.density_level(0.99 / 64), 1);
  EXPECT_EQ(rule.density_level(1e-30), 0);
}

TEST(criteria, core_levels_need_their_species) {
  config::refine r;
  r.donor_core_levels = 1;
  EXPECT_THROW(criteria({}, r, {.species = {"gas"}}), core::user_error);
}

TEST(criteria, the_core_is_refined_where_its_tracer_dominates) {
  gas_on_mesh g(1);
  g.fill([](vec3d) { return 1.0; });
  for (int c = 0; c < mesh::cells; ++c) std::swap(g.u.at(5, 0)[c], g.u.at(5, 1)[c]);  // there "a" is three quarters
  config::mesh m;
  m.max_level = 3;
  config::refine r;
  r.density = 0.5;
  r.accretor_core_levels = 2;
  const exchange::ghosts ghosts(g.tree, g.fields, m.boundaries);
  const auto flags =
      criteria(m, r, {.species = {"accretor_core", "b"}}).flags(g.context, g.tree, g.fields, g.eos, ghosts, g.u);
  for (int n = 0; n < g.tree.leaves(); ++n) EXPECT_EQ(flags[static_cast<std::size_t>(n)], n == 5 ? 1 : 0);
}

TEST(criteria, a_region_is_refined_to_its_level) {
  gas_on_mesh g(1);
  g.fill([](vec3d) { return 1.0; });
  config::mesh m;
  m.max_level = 4;
  m.min_level = 1;
  config::refine r;
  r.region_lower = {0.3, 0.3, 0.3};
  r.region_upper = {0.4, 0.4, 0.4};
  r.region_level = 3;
  while (g.adapt(g.flags(m, r))) {
  }
  EXPECT_EQ(g.tree[g.tree.leaf_at({0.35, 0.35, 0.35})].level, 3);
  EXPECT_EQ(g.tree[g.tree.leaf_at({-0.4, -0.4, -0.4})].level, 1);
}

// Neither a jump nor a smooth front may make blocks come and go while nothing moves.
TEST(criteria, the_mesh_around_a_gradient_comes_to_rest) {
  for (double width : {1e-6, 0.05}) {
    gas_on_mesh g(1);
    const auto front = [width](vec3d x) { return 1.5 + std::tanh((x.x + 0.13) / width); };
    config::mesh m;
    m.min_level = 1;
    m.max_level = 3;
    config::refine r;
    r.gradient_field = "density";
    r.gradient = 0.2;
    int rounds = 0;
    for (bool changed = true; changed && rounds < 10; ++rounds) {
      g.fill(front);
      changed = g.adapt(g.flags(m, r));
    }
    EXPECT_LT(rounds, 10);
    EXPECT_EQ(g.tree.max_level(), 3);
    g.fill(front);
    EXPECT_FALSE(g.adapt(g.flags(m, r)));
  }
}

// In gas of fast cold streams E - s²/2rho is rounding and truncation of either sign; its jumps mean nothing.
TEST(criteria, the_jump_of_the_pressure_is_that_of_the_dual_energy) {
  gas_on_mesh g(1);
  g.fill([](vec3d) { return 1.0; });
  for (int n = 0; n < g.tree.leaves(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      g.u.at(n, g.fields.momentum(0))[c] = 1e3;
      g.u.at(n, g.fields.momentum(1))[c] = 0;
      // Heat of 1, known by the tracer, under an energy of motion of 5e5 whose error is 10.
      g.u.at(n, g.fields.energy())[c] = 5e5 + 1 + (c % 2 == 0 ? 10 : -10);
    }
  }
  exchange::restrict_all(g.context, g.tree, g.fields, g.u);
  config::mesh m;
  m.min_level = 1;
  m.max_level = 3;
  config::refine r;
  r.gradient_field = "pressure";
  r.gradient = 0.1;
  for (const int w : g.flags(m, r)) EXPECT_EQ(w, 0);
  g.u.at(3, g.fields.entropy())[100] = 2;
  EXPECT_EQ(g.flags(m, r)[3], 1);
}

// Isothermal gas whose pressure falls by e within 0.1 along a slanted line. A level has 0.8, 1.6, 3.2, 6.4 cells to
// that: four are asked for, so level 3, where a cell of the block that was refined is dense enough, and nowhere else.
TEST(criteria, a_scale_height_has_the_cells_that_are_asked_for) {
  constexpr double height = 0.1, threshold = 2;
  const auto atmosphere = [](vec3d x) { return std::exp(-(x.x + 2 * x.y + 2 * x.z) / (3 * height)); };
  gas_on_mesh g(1);
  const auto fill = [&] {
    g.fill(atmosphere);
    for (int n = 0; n < g.tree.leaves(); ++n) {
      for (int c = 0; c < mesh::cells; ++c) {
        for (int d = 0; d < 3; ++d) g.u.at(n, g.fields.momentum(d))[c] = 0;
        g.u.at(n, g.fields.energy())[c] = g.u.at(n, 1)[c];
      }
    }
    exchange::restrict_all(g.context, g.tree, g.fields, g.u);
  };
  config::mesh m;
  m.min_level = 1;
  m.max_level = 5;
  config::refine r;
  r.cells_per_scale_height = 4;
  r.scale_height_density = threshold;
  int rounds = 0;
  for (bool changed = true; changed && rounds < 10; ++rounds) {
    fill();
    changed = g.adapt(g.flags(m, r));
  }
  EXPECT_LT(rounds, 10);
  EXPECT_EQ(g.tree.max_level(), 3);
  const auto dense = [&](int node) {
    bool any = false;
    for (int c = 0; c < mesh::cells; ++c) any = any || atmosphere(mesh::view(g.tree).centre(node, c)) > threshold;
    return any;
  };
  for (int n = 0; n < g.tree.leaves(); ++n) {
    EXPECT_TRUE(g.tree[n].level == 3 || !dense(n)) << n;
    EXPECT_TRUE(g.tree[n].level < 3 || dense(g.tree[n].parent)) << n;
  }
}

// A jet of thick and thin gas in a potential of -2, with a heat of 0.1 by mass. Its kinetic energy is 1.95: it is
// unbound by its heat, and blocks in its thick half go to level 3.
TEST(criteria, unbound_gas_is_refined_where_it_is_dense) {
  gas_on_mesh g(1);
  const auto in_jet = [](vec3d x) { return x.x > 0.1 && x.x < 0.2; };
  const auto is_thick = [](vec3d x) { return x.y < 0; };
  config::mesh m;
  m.min_level = 1;
  m.max_level = 4;
  config::refine r;
  r.unbound_level = 3;
  r.unbound_density = 0.8;
  const auto flags = [&](double thickness, bool with_gravity) {
    g.fill([&](vec3d x) { return is_thick(x) ? thickness : 0.01; });
    mesh::block_data field(g.tree.leaves(), gravity::result_fields);
    for (int n = 0; n < g.tree.leaves(); ++n) {
      for (int c = 0; c < mesh::cells; ++c) {
        const vec3d x = mesh::view(g.tree).centre(n, c);
        const double rho = g.u.at(n, 0)[c] + g.u.at(n, 1)[c], kinetic = in_jet(x) ? 1.95 : 0;
        for (int d = 0; d < 3; ++d) g.u.at(n, g.fields.momentum(d))[c] = d == 1 ? rho * std::sqrt(2 * kinetic) : 0;
        g.u.at(n, g.fields.energy())[c] = rho * (kinetic + 0.1);
        field.at(n, gravity::potential)[c] = -2;
      }
    }
    return g.flags(m, r, with_gravity ? field : mesh::block_data());
  };
  const std::vector<int> without = flags(1, false);
  EXPECT_EQ(std::ranges::count(without, 1), 0) << "before there is a potential";
  while (g.adapt(flags(1, true))) {
  }
  EXPECT_EQ(g.tree.max_level(), 3);
  std::vector<std::size_t> jet;
  for (int n = 0; n < g.tree.leaves(); ++n) {
    const auto held = [&](int node) {
      bool any = false;
      for (int c = 0; c < mesh::cells; ++c) {
        const vec3d x = mesh::view(g.tree).centre(node, c);
        any = any || (in_jet(x) && is_thick(x));
      }
      return any;
    };
    if (held(n)) jet.push_back(static_cast<std::size_t>(n));
    EXPECT_TRUE(g.tree[n].level == 3 || !held(n)) << n;
    EXPECT_TRUE(g.tree[n].level < 3 || held(g.tree[n].parent)) << n;
  }
  EXPECT_GT(jet.size(), 30U);
  // It may become half as thick before it is let go.
  const std::vector<int> thinner = flags(0.5, true), thin = flags(0.3, true);
  for (const std::size_t n : jet) EXPECT_EQ(thinner[n], 0);
  for (const std::size_t n : jet) EXPECT_EQ(thin[n], -1);
}

// A block that was made at a density is kept until the density has fallen by the hysteresis.
TEST(criteria, a_block_made_for_its_density_is_kept_down_to_the_hysteresis) {
  gas_on_mesh g(1);
  config::mesh m;
  m.max_level = 2;
  config::refine r;
  r.density = 1;
  r.hysteresis = 0.5;
  const auto all_flags = [&](double density) {
    g.fill([density](vec3d) { return density; });
    const std::vector<int> flags = g.flags(m, r);
    EXPECT_EQ(std::count(flags.begin(), flags.end(), flags[0]), std::ssize(flags)) << density;
    return flags[0];
  };
  EXPECT_EQ(all_flags(0.99), 0);
  EXPECT_EQ(all_flags(1.01), 1);
  g.adapt(std::vector<int>(8, 1));  // to level 2
  EXPECT_EQ(all_flags(0.99), 0);
  EXPECT_EQ(all_flags(0.51), 0);
  EXPECT_EQ(all_flags(0.49), -1);
}

TEST(transfer, refining_and_merging_keep_the_conserved_sums) {
  gas_on_mesh g(2);
  g.fill([](vec3d x) { return 1 + std::exp(-30 * dot(x, x)); });
  const sums before = add_up(g);
  for (int pass = 0; pass < 4; ++pass) {
    std::vector<int> flags;
    for (int n = 0; n < g.tree.leaves(); ++n) flags.push_back(pass < 2 ? (n * 7 + pass) % 5 == 0 : -1);
    g.adapt(flags);
    const sums after = add_up(g);
    // Plain sums of 1e5 numbers that add up to order one: less than a rounding of 1e-16 each.
    EXPECT_NEAR(after.mass, before.mass, 1e-12);
    EXPECT_NEAR(after.energy, before.energy, 1e-12);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(after.momentum[d], before.momentum[d], 1e-12);
      EXPECT_NEAR(after.angular[d], before.angular[d], 1e-12);
    }
  }
}

// A star's surface that moves as one and has one temperature. Slopes of momentum and energy, limited on their own, gave
// cells here velocities that were off by up to 0.7, and temperatures between 0.5 and 1.7 times the right one.
TEST(transfer, steep_gas_of_one_velocity_and_temperature_keeps_both) {
  gas_on_mesh g(1);
  const vec3d v{0.3, -1.1, 0.7};
  const double heat = 0.4;
  for (int n = 0; n < g.tree.leaves(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      const vec3d x = g.tree.centre(n, c % N, c / N % N, c / N / N);
      const double rho = 1e-8 + std::exp(-150 * dot(x, x));
      g.u.at(n, 0)[c] = 0.25 * rho;
      g.u.at(n, 1)[c] = 0.75 * rho;
      for (int d = 0; d < 3; ++d) g.u.at(n, g.fields.momentum(d))[c] = rho * v[d];
      g.u.at(n, g.fields.energy())[c] = rho * (heat + 0.5 * dot(v, v));
      g.u.at(n, g.fields.entropy())[c] = g.eos.tracer_of_heat(rho * heat);
    }
  }
  exchange::restrict_all(g.context, g.tree, g.fields, g.u);
  const sums before = add_up(g);
  double thinnest = 1, densest = 0, off = 0, hot = 0;
  for (int pass = 0; pass < 2; ++pass) {
    g.adapt(std::vector<int>(static_cast<std::size_t>(g.tree.leaves()), 1));
    for (int n = 0; n < g.tree.leaves(); ++n) {
      for (int c = 0; c < mesh::cells; ++c) {
        const auto u = [&](int field) { return g.u.at(n, field)[c]; };
        const double rho = u(0) + u(1);
        thinnest = std::min(thinnest, rho), densest = std::max(densest, rho);
        double energy = u(g.fields.energy()) / rho;
        for (int d = 0; d < 3; ++d) {
          const double found = u(g.fields.momentum(d)) / rho;
          off = std::max(off, std::fabs(found - v[d]));
          energy -= 0.5 * found * found;
        }
        hot = std::max(hot, std::fabs(energy - heat));
      }
    }
  }
  std::printf("    velocity off by %.1e, heat by %.1e\n", off, hot);
  // A dozen roundings of numbers up to one, divided and multiplied by densities that carry one each.
  EXPECT_LT(off, 1e-14);
  EXPECT_LT(hot, 1e-14);
  EXPECT_LT(thinnest, 1e-7 * densest);
  const sums after = add_up(g);
  // Plain sums of 3e5 numbers.
  EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
  EXPECT_NEAR(after.energy, before.energy, 1e-11 * before.energy);
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(after.momentum[d], before.momentum[d], 1e-12 * before.mass);
    EXPECT_NEAR(after.angular[d], before.angular[d], 1e-12 * before.mass);
  }
}

// Where nothing limits the slopes, refining a linear field is exact.
TEST(transfer, a_linear_field_is_refined_exactly) {
  gas_on_mesh g(1);
  const auto linear = [](vec3d x) { return 4 + x.x - 2 * x.y + 0.5 * x.z; };
  g.fill(linear);
  g.adapt(std::vector<int>(8, 1));
  for (int n = 0; n < g.tree.leaves(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      const vec3d x = g.tree.centre(n, c % N, c / N % N, c / N / N);
      if (std::max({std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)}) > 0.4) continue;  // flattened at the boundary
      EXPECT_NEAR(g.u.at(n, 1)[c], 0.75 * linear(x), 4e-15);
    }
  }
}

}  // namespace
}  // namespace rednova::regrid
