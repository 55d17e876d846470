// The solver against a plain NumPy model of the same method (python/rednova/reference/fmm.py).
#include <gtest/gtest.h>

#include "fmm_expected.hpp"
#include "system.hpp"

namespace rednova::gravity::test {
namespace {

/// Largest differences of potential, acceleration and torque, relative to the largest of each.
template <class Expected>
void compare(const system& s, const Expected& expected, int near_radius_squared) {
  if constexpr (mesh::N != 8) GTEST_SKIP() << "the model's coarsest lattice has 8 cells along an edge";
  const mesh::block_data result = solved(s, 3, near_radius_squared);
  std::array<double, 3> largest{}, off{};
  for (const expected_cell& cell : expected) {
    // The model's lattice of level 0 has 8 cells along an edge, as the root block.
    const int edge = 8 << cell.level;
    const vec3d x{(cell.i + 0.5) / edge - 0.5, (cell.j + 0.5) / edge - 0.5, (cell.k + 0.5) / edge - 0.5};
    const int leaf = s.tree.leaf_at(x);
    ASSERT_EQ(s.tree[leaf].level, cell.level);
    const int c = mesh::cell(cell.i % mesh::N, cell.j % mesh::N, cell.k % mesh::N);
    for (int f = 0; f < result_fields; ++f) {
      const std::size_t kind = f == potential ? 0 : f < torque ? 1 : 2;
      const double unit = f < torque ? 1 : std::pow(s.tree.cell_width(leaf), 3);
      const double value = cell.fields[static_cast<std::size_t>(f)];
      largest[kind] = std::max(largest[kind], std::abs(value));
      off[kind] = std::max(off[kind], std::abs(unit * result.at(leaf, f)[c] - value));
    }
  }
  for (std::size_t kind = 0; kind < 3; ++kind) {
    EXPECT_GT(largest[kind], 0);
    // Rounding alone differs; sums of 1e3 terms.
    EXPECT_LT(off[kind], 1e-12 * largest[kind]) << "kind " << kind;
  }
}

TEST(reference, uniform_mesh) {
  compare(system(mesh::tree::uniform(unit_box(), 1), two_blobs), uniform, uniform_near_radius_squared);
}

TEST(reference, uniform_mesh_with_a_small_near_field) {
  compare(system(mesh::tree::uniform(unit_box(), 1), two_blobs), uniform_small_radius,
          uniform_small_radius_near_radius_squared);
}

TEST(reference, refined_mesh) {
  const auto corner = [](vec3d x, double) { return x.x > 0 && x.y > 0 && x.z < 0; };
  compare(system(refined_tree(2, corner), two_blobs), refined, refined_near_radius_squared);
}

}  // namespace
}  // namespace rednova::gravity::test
