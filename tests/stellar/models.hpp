// Small set-ups that the tests of initial models share.
#pragma once

#include <algorithm>

#include "regrid/criteria.hpp"
#include "stellar/scf.hpp"

namespace rednova::stellar {

/// A cube [-half, half]³ of one base block, refined to `level` where rho > density, a level less for each factor of 8.
inline mesh_plan test_mesh(double half, int level, double density) {
  mesh_plan plan;
  plan.box.lower = {-half, -half, -half};
  plan.box.base_width = 2 * half;
  plan.min_level = 2;
  plan.max_level = level;
  config::mesh mesh;
  mesh.min_level = plan.min_level;
  mesh.max_level = level;
  config::refine refine;
  refine.density = density;
  const regrid::criteria criteria(mesh, refine, {.species = {"gas"}});
  plan.flags = [criteria, least = plan.min_level](const model& m) {
    std::vector<int> flags;
    for (int leaf = 0; leaf < m.tree.leaves(); ++leaf) {
      double highest = 0;
      for (int c = 0; c < mesh::cells; ++c) highest = std::max(highest, m.density(leaf, c));
      const int level_now = m.tree[leaf].level;
      const int up = std::max(criteria.density_level(highest), least);
      const int down = std::max(criteria.density_level(2 * highest), least);
      flags.push_back(up > level_now ? 1 : down < level_now ? -1 : 0);
    }
    return flags;
  };
  return plan;
}

}  // namespace rednova::stellar
