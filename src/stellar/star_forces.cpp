#include "stellar/star_forces.hpp"

#include <algorithm>
#include <cmath>

#include "gravity/result_field.hpp"

namespace rednova::stellar {

namespace {

using mesh::N;

struct place {
  int leaf, cell;
};

double density(const model& m, place p, int star) {
  return m.cells.at(p.leaf, core_of_0 + 2 * star)[p.cell] + m.cells.at(p.leaf, envelope_of_0 + 2 * star)[p.cell];
}

/// The cell beyond the face of cell (i, j, k) in x, a quarter of a cell away; dx is 1 or -1.
place beyond(const model& m, int leaf, int i, int j, int k, int dx) {
  if (i + dx >= 0 && i + dx < N) return {leaf, mesh::cell(i + dx, j, k)};
  const core::vec3d x = m.tree.centre(leaf, i, j, k) + core::vec3d{0.75 * dx * m.tree.cell_width(leaf), 0, 0};
  const int next = m.tree.leaf_at(x);
  const core::vec3d d = x - m.tree.corner(next);
  const double h = m.tree.cell_width(next);
  const auto index = [&](double y) { return std::clamp(static_cast<int>(std::floor(y / h)), 0, N - 1); };
  return {next, mesh::cell(index(d.x), index(d.y), index(d.z))};
}

/// Pressure times area of the face that a cell of `star` turns to the companion, if the companion's gas is there. A
/// face is seen from the side of the finer cells; between equal ones from star 0.
double push_of_companion(const model& m, int leaf, int cell, int star) {
  const place next = beyond(m, leaf, cell % N, cell / N % N, cell / (N * N), star == 0 ? 1 : -1);
  const double h = m.tree.cell_width(leaf), other = m.tree.cell_width(next.leaf);
  if (other < h || (other == h && star == 1) || !(density(m, next, 1 - star) > 0)) return 0;
  return 0.5 * h * h * (m.cells.at(leaf, model_pressure)[cell] + m.cells.at(next.leaf, model_pressure)[next.cell]);
}

star_forces forces_in_leaf(const model& m, int leaf, const mesh::block_data& gravity) {
  star_forces t;
  const double h = m.tree.cell_width(leaf), v = h * h * h;
  for (int c = 0; c < mesh::cells; ++c) {
    const double x = m.tree.centre(leaf, c % N, c / N % N, c / (N * N)).x;
    const double g = gravity.at(leaf, gravity::acceleration)[c];
    for (std::size_t s = 0; s < 2; ++s) {
      const int star = static_cast<int>(s);
      const double mass = v * density(m, {leaf, c}, star);
      if (!(mass > 0)) continue;
      t.mass[s] += mass;
      t.moment[s] += mass * x;
      t.gravity[s] += mass * g;
      t.neck += push_of_companion(m, leaf, c, star);
    }
  }
  return t;
}

}  // namespace

star_forces forces_on_stars(exec::context& context, const model& m, const mesh::block_data& gravity) {
  return exec::reduce(
      context, "stellar sums", m.tree.leaves(), star_forces{},
      [&](int leaf) { return forces_in_leaf(m, leaf, gravity); },
      [](star_forces a, const star_forces& b) {
        for (std::size_t s = 0; s < 2; ++s) {
          a.mass[s] += b.mass[s];
          a.moment[s] += b.moment[s];
          a.gravity[s] += b.gravity[s];
        }
        a.neck += b.neck;
        return a;
      });
}

}  // namespace rednova::stellar
