// The potential of gravity and rotation on the cells of a mesh.
#pragma once

#include "gravity/solver.hpp"
#include "mesh/block_data.hpp"
#include "mesh/tree.hpp"
#include "stellar/axis_profile.hpp"

namespace rednova::stellar {

/// Phi = phi - omega² (x² + y²) / 2 - trim x² / 2 + pull x. The last two are for binaries: they move the stars along
/// the line of their centres, and are errors of discretization when the model has converged (docs/initial_models.md).
struct effective_potential {
  const mesh::tree& tree;
  const mesh::block_data& gravity;  ///< gravity::result_field
  double omega2 = 0;
  double trim = 0;
  double pull = 0;

  double value(int leaf, int cell, core::vec3d r) const {
    return gravity.at(leaf, gravity::potential)[cell] - 0.5 * omega2 * (r.x * r.x + r.y * r.y) -
           0.5 * trim * r.x * r.x + pull * r.x;
  }
  core::vec3d gradient(int leaf, int cell, core::vec3d r) const {
    const auto g = [&](int d) { return gravity.at(leaf, gravity::acceleration + d)[cell]; };
    return {-g(0) - (omega2 + trim) * r.x + pull, -g(1) - omega2 * r.y, -g(2)};
  }
};

/// Phi along the axis through the origin in a direction (0, 1, 2), from the cells that the axis passes or touches;
/// the model is taken as symmetric about the axis.
axis_profile along_axis(const effective_potential& phi, int direction);

}  // namespace rednova::stellar
