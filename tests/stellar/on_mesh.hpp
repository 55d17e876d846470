// What the gas of a binary's initial model says of itself, cell by cell: nothing of what makes or sums up the model.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "gravity/solver.hpp"
#include "stellar/model.hpp"
#include "stellar/roche.hpp"

namespace rednova::stellar {

struct star_on_mesh {
  double mass = 0, core_mass = 0;
  double centre = 0;      ///< x of the mass centre
  double volume = 0;      ///< of the cells with gas
  double entropy = 1e99;  ///< the least p / rho^(5/3) of cells without core: of averages it is more where rho varies
  double omega2 = 0;      ///< at which gravity and pressure on its cells balance the rotation
  double innermost = 0;   ///< of the gas in the cells along the x axis, the x nearest to the companion

  double radius() const { return std::cbrt(volume * 3 / (4 * std::acos(-1.0))); }
};

namespace on_mesh {

struct cell {
  int leaf, index;
};

inline double density(const model& m, cell c, int star) {
  return m.cells.at(c.leaf, core_of_0 + 2 * star)[c.index] + m.cells.at(c.leaf, envelope_of_0 + 2 * star)[c.index];
}

/// The cell that holds a point.
inline cell at(const mesh::tree& t, core::vec3d x) {
  const int leaf = t.leaf_at(x);
  const core::vec3d d = (1 / t.cell_width(leaf)) * (x - t.corner(leaf));
  return {leaf, mesh::cell(static_cast<int>(d.x), static_cast<int>(d.y), static_cast<int>(d.z))};
}

/// Force in x on star 0 through the faces that its cells share with those of star 1; none but equal cells may touch.
inline double through_neck(const model& m, cell c, core::vec3d x, double h) {
  if (density(m, c, 0) == 0) return 0;
  const cell next = at(m.tree, x + core::vec3d{h, 0, 0});
  if (density(m, next, 1) == 0) return 0;
  EXPECT_EQ(m.tree.cell_width(next.leaf), h);
  const auto p = [&](cell a) { return m.cells.at(a.leaf, model_pressure)[a.index]; };
  return -0.5 * h * h * (p(c) + p(next));
}

}  // namespace on_mesh

/// Both stars, with the forces of this gravity, which should be the model's.
inline std::array<star_on_mesh, 2> measure(exec::context& context, const config::gravity& gravity, const model& m) {
  using mesh::N;
  mesh::block_data rho(m.tree.leaves(), 1), g(m.tree.leaves(), gravity::result_fields);
  for (int leaf = 0; leaf < m.tree.leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) rho.at(leaf)[c] = m.density(leaf, c);
  }
  gravity::solver(gravity, m.tree).solve(context, rho, g);

  std::array<star_on_mesh, 2> t;
  std::array<double, 2> force{};
  t[0].innermost = -1e99;
  t[1].innermost = 1e99;
  for (int leaf = 0; leaf < m.tree.leaves(); ++leaf) {
    const double h = m.tree.cell_width(leaf), v = h * h * h;
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = m.tree.centre(leaf, c % N, c / N % N, c / (N * N));
      for (int s = 0; s < 2; ++s) {
        const double here = on_mesh::density(m, {leaf, c}, s), core = m.cells.at(leaf, core_of_0 + 2 * s)[c];
        if (here == 0) continue;
        star_on_mesh& star = t[static_cast<std::size_t>(s)];
        star.mass += v * here;
        star.core_mass += v * core;
        star.centre += v * here * x.x;
        star.volume += v;
        force[static_cast<std::size_t>(s)] += v * here * g.at(leaf, gravity::acceleration)[c];
        if (std::fabs(x.y) < h && std::fabs(x.z) < h)
          star.innermost = s == 0 ? std::max(star.innermost, x.x) : std::min(star.innermost, x.x);
        if (core > 0) continue;
        star.entropy = std::min(star.entropy, m.cells.at(leaf, model_pressure)[c] / std::pow(here, 5.0 / 3));
      }
      const double push = on_mesh::through_neck(m, {leaf, c}, x, h);
      force[0] += push;
      force[1] -= push;
    }
  }
  for (std::size_t s = 0; s < 2; ++s) {
    t[s].omega2 = -force[s] / t[s].centre;  // M x, as yet
    t[s].centre /= t[s].mass;
  }
  return t;
}

}  // namespace rednova::stellar
