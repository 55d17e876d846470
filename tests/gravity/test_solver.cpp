// What the solver promises on uniform and refined meshes: conservation, symmetry, accuracy, the same bits.
#include <gtest/gtest.h>

#include <cstring>

#include "system.hpp"

namespace rednova::gravity::test {
namespace {

struct setting {
  int order, near2;
  config::cell_mass cells = config::cell_mass::point;
};

class on_three_levels : public testing::TestWithParam<setting> {
 protected:
  static mesh::block_data result_of(const system& s, int threads = 1) {
    return solved(s, GetParam().order, GetParam().near2, threads, GetParam().cells);
  }
  static double uneven(vec3d x) {
    return two_blobs(x) * (1 + 0.5 * std::sin(40 * x.x + 31 * x.y) * std::cos(57 * x.z));
  }
};
INSTANTIATE_TEST_SUITE_P(settings, on_three_levels,
                         testing::Values(setting{3, 3}, setting{3, 4}, setting{3, 10}, setting{4, 6}, setting{4, 15},
                                         setting{5, 4}, setting{5, 10}, setting{3, 3, config::cell_mass::smooth},
                                         setting{3, 6, config::cell_mass::smooth} /* the default */,
                                         setting{3, 10, config::cell_mass::smooth},
                                         setting{4, 6, config::cell_mass::smooth}),
                         [](const auto& i) {
                           return fmt::format("p{}_R2_{}{}", i.param.order, i.param.near2,
                                              i.param.cells == config::cell_mass::smooth ? "_smooth" : "");
                         });

TEST_P(on_three_levels, forces_and_torques_cancel) {
  const system s(three_levels(), uneven);
  ASSERT_EQ(s.tree.max_level(), 3);
  const balance b = balance_of(s, result_of(s));
  std::printf("    force %.1e, torque %.1e, without spin %.1e\n", b.force, b.torque, b.torque_without_spin);
  EXPECT_LT(b.force, 1e-14);
  EXPECT_LT(b.torque, 1e-14);
  // Without the spin the torque does not vanish: the test above says something.
  EXPECT_GT(b.torque_without_spin, 1e-8);
}

TEST_P(on_three_levels, potential_is_symmetric_and_linear) {
  const system a(three_levels(), uneven), b(three_levels(), [](vec3d x) { return 1 + x.x + 2 * x.y * x.z; });
  const system both(three_levels(), [](vec3d x) { return 2 * uneven(x) - 3 * (1 + x.x + 2 * x.y * x.z); });
  const auto of_a = result_of(a), of_b = result_of(b);
  const auto of_both = result_of(both);
  core::compensated ab, ba;
  double off = 0, largest = 0;
  for (int c = 0; c < a.cells(); ++c) {
    const auto i = static_cast<std::size_t>(c);
    ab += a.mass[i] * b.of(of_b, potential, c);
    ba += b.mass[i] * a.of(of_a, potential, c);
    const vec3d sum = 2.0 * a.vector_of(of_a, acceleration, c) - 3.0 * b.vector_of(of_b, acceleration, c);
    const vec3d difference = both.vector_of(of_both, acceleration, c) - sum;
    off = std::max(off, std::sqrt(dot(difference, difference)));
    largest = std::max(largest, std::sqrt(dot(sum, sum)));
  }
  EXPECT_NEAR(ab.value() / ba.value(), 1, 1e-14);
  EXPECT_LT(off, 1e-13 * largest);  // sums of 1e3 terms with signs
}

TEST_P(on_three_levels, threads_do_not_change_a_bit) {
  const system s(three_levels(), uneven);
  const auto one = result_of(s, 1), two = result_of(s, 2);
  EXPECT_EQ(std::memcmp(one.at(0), two.at(0), one.bytes()), 0);
}

TEST(solver, one_block_is_a_direct_sum) {
  const system s(mesh::tree::uniform(unit_box(), 0), two_blobs);
  const errors e = error_of(s, solved(s, 3, 4), 1);
  EXPECT_LT(e.phi, 1e-14);
  EXPECT_LT(e.g, 1e-14);
}

TEST(solver, empty_space_has_no_field) {
  const system s(three_levels(), [](vec3d) { return 0.0; });
  const auto result = solved(s, 3, 10);
  for (int f = 0; f < result_fields; ++f) {
    for (int c = 0; c < s.cells(); ++c) ASSERT_EQ(s.of(result, f, c), 0);
  }
}

TEST(solver, a_mass_in_a_coarse_leaf_pulls_on_finer_ones_and_back) {
  // One cell beside the finer region: its ghost children interact with the finer cells.
  const mesh::tree tree = three_levels();
  int chosen = -1;
  for (int leaf = 0; leaf < tree.leaves() && chosen < 0; ++leaf) {
    const int beside = tree[leaf].neighbour[static_cast<std::size_t>(mesh::side(1, 0, 0))];
    if (beside >= tree.leaves()) chosen = leaf;
  }
  ASSERT_GE(chosen, 0);
  const vec3d at = tree.centre(chosen, mesh::N - 1, 3, 4);
  const system s(tree, [&](vec3d x) { return dot(x - at, x - at) < 1e-12 ? 1.0 : 0.0; });
  const auto result = solved(s, 5, 15);
  double largest = 0, off = 0;
  for (int c = 0; c < s.cells(); ++c) {
    const vec3d d = at - s.place[static_cast<std::size_t>(c)];
    const double r = std::sqrt(dot(d, d)), h = tree.cell_width(chosen);
    if (r < 3 * h) continue;
    const vec3d exact = h * h * h / (r * r * r) * d, difference = s.vector_of(result, acceleration, c) - exact;
    off = std::max(off, std::sqrt(dot(difference, difference)));
    largest = std::max(largest, std::sqrt(dot(exact, exact)));
  }
  // A cube's field differs from a point's by its hexadecapole only, some 1e-3 at this distance; the expansions add
  // (h/r)^6.
  EXPECT_LT(off, 5e-3 * largest);
}

TEST(solver, refuses_what_it_cannot_do) {
  mesh::domain box = unit_box();
  box.periodic[1] = true;
  EXPECT_THROW(solver({}, mesh::tree::uniform(box, 1)), std::logic_error);
  box = unit_box();
  box.base = {2, 1, 1};
  EXPECT_THROW(solver({}, mesh::tree::uniform(box, 0)), std::logic_error);
}

}  // namespace
}  // namespace rednova::gravity::test
