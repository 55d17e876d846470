// Every pair of cells that should interact on a level is in the lists once, and no other.
#include <gtest/gtest.h>

#include <map>

#include "gravity/basis.hpp"
#include "gravity/stencil.hpp"

namespace rednova::gravity {
namespace {

int half(int d) { return d >= 0 ? d / 2 : -((1 - d) / 2); }

struct setting {
  int near2;
  pairs which;
  place context;
  int numbers;
};

class stencils : public testing::TestWithParam<setting> {};
INSTANTIATE_TEST_SUITE_P(
    all, stencils,
    testing::Values(setting{3, pairs::far, place::inner, 16}, setting{4, pairs::near, place::inner, 1},
                    setting{6, pairs::far, place::inner, 16}, setting{10, pairs::far, place::inner, 16},
                    setting{10, pairs::near, place::inner, 1}, setting{15, pairs::far, place::inner, 36},
                    setting{10, pairs::far, place::root, 16}, setting{4, pairs::near, place::root, 1}));

TEST_P(stencils, pairs_occur_once) {
  const setting s = GetParam();
  const stencil by(1, s.near2, s.which, s.context, s.numbers);
  for (int target = 0; target < 8; ++target) {
    const int tx = target & 1, ty = target >> 1 & 1, tz = target >> 2;
    std::map<std::array<int, 3>, int> found;
    for (const stencil_plane& plane : by.planes(tz)) {
      for (std::size_t group = 0; group < plane.lists.size(); ++group) {
        for (const offset& o : plane.lists[group][static_cast<std::size_t>(class_of(tx, ty))].offsets) {
          const int slab = slab_size(s.numbers, by.reach()), row = slab_row(s.numbers, by.width());
          const int source_class = static_cast<int>(group) * by.grouped_classes() + o.source / slab;
          const int y = o.source % slab / row - by.reach(), x = o.source % slab % row - slab_margin(by.width());
          const int dx = 2 * x + (source_class & 1) - tx, dy = 2 * y + (source_class >> 1) - ty;
          if (plane.folded != fold::below) ++found[{dx, dy, plane.c}];
          if (plane.folded != fold::above) ++found[{dx, dy, -plane.c}];
        }
      }
    }
    if (s.which == pairs::near) {  // joint lists hold the same pairs, and each cell with itself without effect
      const auto t = static_cast<std::size_t>(class_of(tx, ty));
      std::map<std::array<int, 2>, int> separate, together;
      for (const stencil_plane& plane : by.planes(tz)) {
        for (const offset& o : plane.lists[0][t].offsets) ++separate[{o.source, o.coefficient}];
        for (const joint_offset& o : plane.joint.offsets) {
          if (o.coefficient[t] != 0) ++together[{o.source, o.coefficient[t]}];
        }
      }
      EXPECT_EQ(together, separate);
      for (int n = 0; n < coefficients(1); ++n) EXPECT_EQ(by.coefficients()[n], 0);
    }
    std::size_t expected = 0;
    for (int dz = -mesh::N; dz <= mesh::N; ++dz) {
      for (int dy = -mesh::N; dy <= mesh::N; ++dy) {
        for (int dx = -mesh::N; dx <= mesh::N; ++dx) {
          const int X = half(dx + tx), Y = half(dy + ty), Z = half(dz + tz), d2 = dx * dx + dy * dy + dz * dz;
          const bool parents = s.context == place::root ? std::abs(X) < H && std::abs(Y) < H && std::abs(Z) < H
                                                        : X * X + Y * Y + Z * Z <= s.near2;
          if (!parents || (s.which == pairs::far ? d2 <= s.near2 : d2 == 0)) continue;
          ++expected;
          EXPECT_EQ((found[{dx, dy, dz}]), 1) << dx << ' ' << dy << ' ' << dz;
        }
      }
    }
    EXPECT_EQ(found.size(), expected);
  }
}

}  // namespace
}  // namespace rednova::gravity
