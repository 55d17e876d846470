// Whole solves: the solver against the textbook's operators.
#include <gtest/gtest.h>

#include "textbook_solve.hpp"

namespace rednova::gravity::test {
namespace {

/// Blobs whose neighbouring cells differ by up to a factor of three, so that nothing is symmetric.
double uneven(vec3d x) { return two_blobs(x) * (1 + 0.5 * std::sin(40 * x.x + 31 * x.y) * std::cos(57 * x.z)); }

void compare(const system& s, int order, int near2, config::cell_mass cells) {
  if constexpr (mesh::N != 8) GTEST_SKIP() << "the 16³ cells of a root block are 8 million pairs: minutes";
  config::gravity par;
  par.order = order;
  par.near_radius_squared = near2;
  par.cell_mass = cells;
  const textbook_solve expected(s, par);
  const mesh::block_data found = solved(s, order, near2, 1, cells);
  vec3d largest{}, off{};  // of potential, acceleration and torque: torques are 1e-9 where the acceleration is 0.1
  const auto add = [&](int kind, double value, double wanted) {
    ASSERT_TRUE(std::isfinite(value));
    largest[kind] = std::max(largest[kind], std::abs(wanted));
    off[kind] = std::max(off[kind], std::abs(value - wanted));
  };
  for (int c = 0; c < s.cells(); ++c) {
    const auto& [phi, g, t] = expected.result[index(c)];
    add(0, s.of(found, potential, c), phi);
    for (int d = 0; d < 3; ++d) {
      add(1, s.of(found, acceleration + d, c), g[d]);
      add(2, s.of(found, torque + d, c), t[d]);
    }
  }
  std::printf("    p = %d, R² = %d: potential %.1e, acceleration %.1e, torque %.1e\n", order, near2, off.x / largest.x,
              off.y / largest.y, off.z / largest.z);
  for (int kind = 0; kind < 3; ++kind) {
    EXPECT_GT(largest[kind], 0);
    // Rounding of sums of 1e3 terms with signs. Measured: 3e-14 for the torque, 4e-15 for the others.
    EXPECT_LT(off[kind], 1e-13 * largest[kind]) << "kind " << kind;
  }
}

// Cells on three levels: the root's, all refined, one block of eight of the next level refined again, and ghost
// children of those beside it. All operators take part.
TEST(textbook_solve, refined_mesh) {
  const system s(refined_tree(2, [](vec3d x, double) { return x.x > 0 && x.y > 0 && x.z < 0; }), uneven);
  compare(s, 3, 4, config::cell_mass::point);
  compare(s, 4, 6, config::cell_mass::smooth);
  compare(s, 5, 3, config::cell_mass::smooth);
}

TEST(textbook_solve, four_levels_with_the_default_parameters) {
  const config::gravity par;
  compare(system(three_levels(), uneven), par.order, par.near_radius_squared, par.cell_mass);
}

}  // namespace
}  // namespace rednova::gravity::test
