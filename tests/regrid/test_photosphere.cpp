// Refinement where light gets free.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "gas_on_mesh.hpp"

namespace rednova::regrid {
namespace {

using test::gas_on_mesh;
using test::N;
using test::vec3d;

constexpr int asked = 3;
constexpr double width = 1.0 / N / (1 << asked);  // of a cell of that level

config::parameters opaque(double by_mass) {
  config::parameters p;
  p.mesh.min_level = 1;
  p.mesh.max_level = 5;
  p.hydro.species = {"a", "b"};
  p.refine.photosphere_level = asked;
  p.radiation.enabled = true;
  p.radiation.light_speed = p.radiation.radiation_constant = p.radiation.gas_constant = 1;
  p.radiation.absorption = p.radiation.extinction = by_mass;
  return p;
}

/// Adapts until nothing changes; the rounds that this took.
template <class Density>
int settle(gas_on_mesh& g, const config::parameters& p, const Density& density) {
  const criteria by(p);
  for (int round = 1; round < 12; ++round) {
    g.fill(density);
    if (!g.adapt(g.flags(by, p.mesh))) return round;
  }
  return 12;
}

/// The least and the largest of `depth` in the cells of a node, with so many cells around.
template <class Depth>
std::array<double, 2> depths_of(const mesh::tree& t, int node, const Depth& depth, int around) {
  std::array<double, 2> found{1e300, 0};
  const double h = t.cell_width(node);
  for (int k = -around; k < N + around; ++k)
    for (int j = -around; j < N + around; ++j)
      for (int i = -around; i < N + around; ++i) {
        const double here = depth(t.corner(node) + h * vec3d{i + 0.5, j + 0.5, k + 0.5});
        found = {std::min(found[0], here), std::max(found[1], here)};
      }
  return found;
}

// An atmosphere whose density falls by e in 0.02 along a slanted line; a cell of the level has 0.016.
TEST(photosphere, the_layer_where_a_cell_becomes_transparent_is_refined) {
  constexpr double height = 0.02, opacity = 300;
  const auto density = [](vec3d x) { return std::exp(-(x.x + 2 * x.y + 2 * x.z + 0.1) / (3 * height)); };
  const auto depth = [&](vec3d x) { return opacity * density(x) * width; };
  gas_on_mesh g(1);
  const config::parameters p = opaque(opacity);
  EXPECT_LT(settle(g, p, density), 6);
  EXPECT_EQ(g.tree.max_level(), asked);
  int fine = 0;
  for (int n = 0; n < g.tree.leaves(); ++n) {
    const auto [least, most] = depths_of(g.tree, n, depth, 0);
    const bool through = least < 1 && most > 1;
    EXPECT_TRUE(!through || g.tree[n].level == asked) << n << ' ' << least << ' ' << most;
    if (g.tree[n].level < asked) continue;
    ++fine;
    // Balance alone does not make blocks of this level, and the averages of the parent are not far from its gas.
    const auto [lowest, highest] = depths_of(g.tree, g.tree[n].parent, depth, 1);
    EXPECT_TRUE(lowest < 2.5 && highest > 0.4) << n << ' ' << lowest << ' ' << highest;
  }
  std::printf("    %d of %d blocks of the finest level\n", fine, g.tree.leaves());
  EXPECT_GT(fine, 50);
  EXPECT_LT(fine, 300);  // of the 512 that there may be
}

// A star's surface within less than a cell: no cell has a depth near one, but neighbours lie on both sides of it.
TEST(photosphere, a_sharp_surface_is_found_on_any_level_and_followed) {
  vec3d centre{0.02, -0.03, 0.01};
  const auto density = [&](vec3d x) { return dot(x - centre, x - centre) < 0.3 * 0.3 ? 1.0 : 1e-8; };
  gas_on_mesh g(1);
  const config::parameters p = opaque(1e4);
  EXPECT_LT(settle(g, p, density), 6);
  const auto meets = [&](int n, double margin) {
    bool inside = false, outside = false;
    for (int c = 0; c < mesh::cells; ++c) {
      const vec3d r = mesh::view(g.tree).centre(n, c) - centre;
      inside = inside || std::sqrt(dot(r, r)) < 0.3 + margin;
      outside = outside || std::sqrt(dot(r, r)) > 0.3 - margin;
    }
    return inside && outside;
  };
  const auto check = [&] {
    for (int n = 0; n < g.tree.leaves(); ++n) {
      EXPECT_TRUE(!meets(n, 0) || g.tree[n].level == asked) << n;
      EXPECT_TRUE(g.tree[n].level < asked || meets(g.tree[n].parent, 4 * width)) << n;
    }
  };
  check();
  centre.x += 0.11;
  EXPECT_LT(settle(g, p, density), 6);
  check();
}

// What is made at a depth of one is kept from a half to two, and let go beyond.
TEST(photosphere, hysteresis_keeps_what_is_there) {
  gas_on_mesh g(1);
  config::parameters p = opaque(1 / width);
  const criteria by(p);
  const auto all_flags = [&](double depth) {
    g.fill([&](vec3d x) { return depth * (1 + 1e-3 * x.x); });
    const std::vector<int> flags = g.flags(by, p.mesh);
    EXPECT_EQ(std::count(flags.begin(), flags.end(), flags[0]), std::ssize(flags)) << depth;
    return flags[0];
  };
  EXPECT_EQ(all_flags(1.8), 0);
  p.mesh.max_level = asked;
  g.adapt(std::vector<int>(8, 1));
  for (const double kept : {0.55, 0.9, 1.8}) EXPECT_EQ(all_flags(kept), 0) << kept;
  for (const double gone : {0.45, 2.2}) EXPECT_EQ(all_flags(gone), -1) << gone;
}

}  // namespace
}  // namespace rednova::regrid
