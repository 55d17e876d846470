#include "stellar/star_forces.hpp"

#include <cmath>

#include "gravity/result_field.hpp"

namespace rednova::stellar {

namespace {

star_forces forces_in_leaf(const model& m, int leaf, const mesh::block_data& gravity, double plane) {
  using mesh::N;
  star_forces t;
  const double h = m.tree.cell_width(leaf), v = h * h * h;
  for (int c = 0; c < mesh::cells; ++c) {
    const double x = m.tree.centre(leaf, c % N, c / N % N, c / (N * N)).x;
    const double g = gravity.at(leaf, gravity::acceleration)[c];
    for (std::size_t s = 0; s < 2; ++s) {
      const int first = 2 * static_cast<int>(s);
      const double mass = v * (m.cells.at(leaf, core_of_0 + first)[c] + m.cells.at(leaf, envelope_of_0 + first)[c]);
      t.mass[s] += mass;
      t.moment[s] += mass * x;
      t.gravity[s] += mass * g;
    }
    // Between the stars the pressure is least near the plane, so that a cell's own does for all its width.
    if (x - 0.5 * h <= plane && plane < x + 0.5 * h) t.neck += h * h * m.cells.at(leaf, model_pressure)[c];
  }
  return t;
}

}  // namespace

star_forces forces_on_stars(exec::context& where, const model& m, const mesh::block_data& gravity, double plane) {
  return exec::reduce(
      where, "stellar sums", m.tree.leaves(), star_forces{},
      [&](int leaf) { return forces_in_leaf(m, leaf, gravity, plane); },
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
