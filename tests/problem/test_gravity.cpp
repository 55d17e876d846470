// Gravity of spheres whose field is known, on refined meshes, as a problem sets them up.
#include <gtest/gtest.h>

#include <cmath>

#include "simulated.hpp"
#include "stellar/lane_emden.hpp"

namespace rednova::problem::test {
namespace {

struct errors {
  double potential, acceleration;
};

/// Mass-weighted rms errors relative to the rms of the exact values.
errors measure(const step::simulation& s, const stellar::polytrope& star) {
  double phi2 = 0, phi_error2 = 0, g2 = 0, g_error2 = 0;
  for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) {
    const double volume = std::pow(s.tree.cell_width(leaf), 3);
    for (int k = 0; k < mesh::N; ++k)
      for (int j = 0; j < mesh::N; ++j)
        for (int i = 0; i < mesh::N; ++i) {
          const int c = mesh::cell(i, j, k);
          const core::vec3d x = s.tree.centre(leaf, i, j, k);
          const double r = std::sqrt(dot(x, x)), m = volume * density(s, leaf, c);
          const double phi = star.potential(r), pull = star.mass_within(r) / (r * r);
          core::vec3d g;
          for (int d = 0; d < 3; ++d) g[d] = s.gravity.at(leaf, gravity::acceleration + d)[c];
          const core::vec3d off = g + (pull / r) * x;
          phi2 += m * phi * phi;
          phi_error2 += m * std::pow(s.gravity.at(leaf, gravity::potential)[c] - phi, 2);
          g2 += m * pull * pull;
          g_error2 += m * dot(off, off);
        }
  }
  return {std::sqrt(phi_error2 / phi2), std::sqrt(g_error2 / g2)};
}

struct sphere {
  const char* name;
  const char* input;
  double index;
  double acceleration_order;
};

class sphere_gravity : public testing::TestWithParam<sphere> {};

TEST_P(sphere_gravity, converges) {
  exec::context where;
  const stellar::polytrope star(GetParam().index, 1, 1);
  const auto run = [&](int level) {
    const simulated r(where, GetParam().input,
                      {fmt::format("mesh.max_level={}", level), "gravity.order=5", "gravity.near_radius_squared=15"});
    return measure(*r.state, star);
  };
  const errors coarse = run(2), fine = run(3);
  std::printf("    potential %.2e, %.2e: order %.2f; acceleration %.2e, %.2e: order %.2f\n", coarse.potential,
              fine.potential, std::log2(coarse.potential / fine.potential), coarse.acceleration, fine.acceleration,
              std::log2(coarse.acceleration / fine.acceleration));
  // Point masses at cell centres, which leave out a cell's pull on itself: second order in h/R = 1/16. The sphere's
  // sharp surface, cut by cells, brings the acceleration beside it down to first order.
  EXPECT_GT(std::log2(coarse.potential / fine.potential), 1.9);
  EXPECT_LT(fine.potential, 6e-3);
  EXPECT_GT(std::log2(coarse.acceleration / fine.acceleration), GetParam().acceleration_order);
  EXPECT_LT(fine.acceleration, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(spheres, sphere_gravity,
                         testing::Values(sphere{"uniform", "uniform_sphere", 0, 1.4},
                                         sphere{"lane_emden", "star_at_rest", 1, 1.9}),
                         [](const auto& i) { return i.param.name; });

}  // namespace
}  // namespace rednova::problem::test
