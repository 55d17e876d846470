// The two stars of a binary as the gas on the mesh has them, for tests: nothing of what makes or reports the model.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "core/compensated.hpp"
#include "gravity/result_field.hpp"
#include "step/simulation.hpp"

namespace rednova::problem::test {

/// Sums over the gas of a star, each cell by the share of its mass that is the star's.
struct star_on_mesh {
  double mass = 0, core_mass = 0;
  core::vec3d centre;    ///< of its mass; z is left out
  core::vec3d velocity;  ///< of that, in the inertial frame, along the axes of the grid; z is left out
  double gravity = 0;    ///< net force along x
};

using stars_on_mesh = std::array<star_on_mesh, 2>;

/// The stars of an initialised simulation of a binary that has its own order of the species.
inline stars_on_mesh measure(const step::simulation& s) {
  struct sums {
    core::compensated mass, core, x, y, px, py, gravity;
  };
  std::array<sums, 2> t;
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    const double v = std::pow(s.tree().cell_width(leaf), 3);
    for (int c = 0; c < mesh::cells; ++c) {
      const auto at = [&](int f) { return s.u().at(leaf, f)[c]; };
      const double rho = s.density(leaf, c);
      const core::vec3d x = s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, 0);
      core::vec3d p{at(s.fields().momentum(0)), at(s.fields().momentum(1)), at(s.fields().momentum(2))};
      for (std::size_t star = 0; star < 2; ++star) {
        const double core = at(2 * static_cast<int>(star)), all = core + at(2 * static_cast<int>(star) + 1);
        t[star].mass += v * all;
        t[star].core += v * core;
        t[star].x += v * all * x.x;
        t[star].y += v * all * x.y;
        t[star].px += v * all / rho * p.x;
        t[star].py += v * all / rho * p.y;
        t[star].gravity += v * all * s.gravity().at(leaf, gravity::acceleration)[c];
      }
    }
  }
  stars_on_mesh found;
  for (std::size_t i = 0; i < 2; ++i) {
    const double mass = t[i].mass.value();
    found[i] = {mass,
                t[i].core.value(),
                {t[i].x.value() / mass, t[i].y.value() / mass, 0},
                {t[i].px.value() / mass, t[i].py.value() / mass, 0},
                t[i].gravity.value()};
  }
  return found;
}

}  // namespace rednova::problem::test
