#include "stellar/effective_potential.hpp"

#include <cmath>

#include "core/check.hpp"

namespace rednova::stellar {

axis_profile along_axis(const effective_potential& phi, int direction) {
  using mesh::N;
  std::vector<axis_profile::point> points;
  const mesh::tree& t = phi.tree;
  const int a = (direction + 1) % 3, b = (direction + 2) % 3;
  for (int leaf = 0; leaf < t.leaves(); ++leaf) {
    const double h = t.cell_width(leaf);
    const core::vec3d lower = t.corner(leaf);
    core::vec3i p{};
    p[a] = static_cast<int>(std::floor(-lower[a] / h));
    p[b] = static_cast<int>(std::floor(-lower[b] / h));
    if (p[a] < 0 || p[a] >= N || p[b] < 0 || p[b] >= N) continue;
    for (p[direction] = 0; p[direction] < N; ++p[direction]) {
      const core::vec3d r = t.centre(leaf, p.x, p.y, p.z);
      const int c = mesh::cell(p.x, p.y, p.z);
      const core::vec3d slope = phi.gradient(leaf, c, r);
      // Phi is even in both directions across the axis, so its value there is Phi - (r · grad Phi) / 2 of the
      // parts across, to fourth order.
      const double across = r[a] * slope[a] + r[b] * slope[b];
      points.push_back({r[direction], phi.value(leaf, c, r) - 0.5 * across, slope[direction]});
    }
  }
  EXPECT(points.size() >= 2);
  return axis_profile(std::move(points));
}

}  // namespace rednova::stellar
