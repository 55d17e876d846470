#include "diagnose/orbit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "two_stars.hpp"

namespace rednova::diagnose {
namespace {

using core::vec3d;

/// Puts mass m of a species into the cell of a point, moving with v; gives the cell's centre and volume.
struct placed {
  vec3d x;
  double volume;
};
placed put(step::simulation& s, vec3d near, int species, double m, vec3d v) {
  const int leaf = s.tree.leaf_at(near);
  const double h = s.tree.cell_width(leaf);
  const vec3d o = s.tree.corner(leaf);
  const auto index = [&](int d) { return static_cast<int>((near[d] - o[d]) / h); };
  const int c = mesh::cell(index(0), index(1), index(2));
  s.u.at(leaf, species)[c] += m / (h * h * h);
  for (int d = 0; d < 3; ++d) s.u.at(leaf, s.fields.momentum(d))[c] += m / (h * h * h) * v[d];
  return {s.tree.centre(leaf, index(0), index(1), index(2)), h * h * h};
}

TEST(star_of_species, by_name_only_where_both_stars_are_named) {
  EXPECT_EQ(star_of_species({"accretor_core", "donor_core", "atmosphere"}), (std::vector<int>{0, 1, -1}));
  EXPECT_EQ(star_of_species({"core", "envelope"}), (std::vector<int>{0, 0}));
  EXPECT_EQ(star_of_species({"donor_core", "gas"}), (std::vector<int>{0, 0}));
}

TEST(measure, two_point_masses) {
  exec::context where(2);
  step::simulation s(two_stars(1), where);
  const vec3d v1{0.1, -0.2, 0.05}, v2{-0.3, 0.7, 0.01};
  const placed a = put(s, {-0.3, 0.1, 0.01}, 0, 2.0, v1);
  const placed b = put(s, {0.6, -0.2, 0.02}, 3, 0.5, v2);
  put(s, {0.1, 0.9, 0.9}, 4, 1e-3, {5, 5, 5});  // belongs to neither
  const orbit o = measure(s);
  EXPECT_DOUBLE_EQ(o.stars[0].mass, 2.0);
  EXPECT_DOUBLE_EQ(o.stars[1].mass, 0.5);
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(o.stars[0].centre[d], a.x[d], 1e-15);
    EXPECT_NEAR(o.stars[1].velocity[d], v2[d], 1e-15);
    EXPECT_NEAR(o.stars[0].spin[d], 0, 1e-15);
  }
  const vec3d r = b.x - a.x, v = v2 - v1;
  EXPECT_DOUBLE_EQ(o.separation, std::sqrt(dot(r, r)));
  EXPECT_NEAR(o.frequency, cross(r, v).z / dot(r, r), 1e-14);
  EXPECT_NEAR(o.angular_momentum.z, 2.0 * 0.5 / 2.5 * cross(r, v).z, 1e-15);
  EXPECT_DOUBLE_EQ(o.stars[0].max_density, 2.0 / a.volume);
  EXPECT_EQ(o.unbound_mass, 0);
}

// Orbital and spin parts add up to the whole: J = sum of spins + J_orb + M X × V.
TEST(measure, parts_of_the_angular_momentum_add_up) {
  exec::context where(2);
  step::simulation s(two_stars(1), where);
  vec3d total{}, moment{}, momentum{};
  double mass = 0;
  for (int i = 0; i < 40; ++i) {
    const double t = 0.7 * i;
    const vec3d x{0.8 * std::sin(3 * t), 0.8 * std::sin(5 * t + 1), 0.8 * std::sin(7 * t + 2)};
    const vec3d v{std::cos(t), std::sin(2 * t), std::cos(3 * t)};
    const double m = 1 + 0.5 * std::sin(11 * t);
    const placed p = put(s, x, i % 4, m, v);
    total += m * cross(p.x, v);
    moment += m * p.x;
    momentum += m * v;
    mass += m;
  }
  // The cells' own spin counts too.
  const double h = s.tree.cell_width(0);
  s.u.at(5, s.fields.spin(2))[3] = 0.25;
  s.u.at(5, 0)[3] += 1e-3;
  total += vec3d{0, 0, 0.25 * h * h * h};
  const double added = 1e-3 * h * h * h;
  moment += added * s.tree.centre(5, 3, 0, 0);
  mass += added;
  const orbit o = measure(s);
  const vec3d sum = o.stars[0].spin + o.stars[1].spin + o.angular_momentum + (1 / mass) * cross(moment, momentum);
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(sum[d], total[d], 1e-13);
}

TEST(measure, same_bits_on_any_number_of_threads) {
  const auto run = [](int threads) {
    exec::context where(threads);
    step::simulation s(two_stars(1), where);
    for (int n = 0; n < s.tree.leaves(); ++n) {
      for (int f = 0; f < s.fields.size(); ++f) {
        for (int c = 0; c < mesh::cells; ++c) s.u.at(n, f)[c] = 1 + 0.3 * std::sin(c + 0.1 * n + f);
      }
    }
    return measure(s);
  };
  const orbit one = run(1), four = run(4);
  EXPECT_EQ(one.separation, four.separation);
  EXPECT_EQ(one.stars[1].spin, four.stars[1].spin);
}

TEST(measure, gas_that_escapes) {
  exec::context where(1);
  step::simulation s(two_stars(1), where);
  s.gravity = mesh::block_data(s.tree.leaves(), gravity::result_fields);
  const placed fast = put(s, {0.1, 0.1, 0.1}, 0, 0.25, {2, 0, 0});
  put(s, {0.5, 0.1, 0.1}, 0, 0.75, {1, 0, 0});
  for (int n = 0; n < s.tree.leaves(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      s.gravity.at(n, gravity::potential)[c] = -1;
      const double rho = s.density(n, c), sx = s.u.at(n, s.fields.momentum(0))[c];
      if (rho > 0) s.u.at(n, s.fields.energy())[c] = sx * sx / (2 * rho);  // cold: 2 and 1/2 per mass
    }
  }
  EXPECT_DOUBLE_EQ(measure(s).unbound_mass, 0.25);
  EXPECT_GT(fast.volume, 0);
}

}  // namespace
}  // namespace rednova::diagnose
