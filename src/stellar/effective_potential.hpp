// The potential of gravity and rotation on the cells of a mesh.
#pragma once

#include "gravity/solver.hpp"
#include "mesh/block_data.hpp"
#include "mesh/tree.hpp"
#include "stellar/axis_profile.hpp"

namespace rednova::stellar {

/// Phi = phi - omega² (x² + y²) / 2 - excess ((x - centre)² + y²) / 2 - trim x² / 2 + pull x.
///
/// `excess` is for a star that turns about its own axis, through `centre`, at the rate spin omega in the inertial
/// frame: with (spin² - 1) omega² the first three terms are, but for a constant, those of gravity, of the acceleration
/// of the star's centre on the orbit, omega² centre x, and of the rotation about its own axis, spin² omega² (Limber
/// 1963, ApJ 138, 1112; Sepinsky, Willems & Kalogera 2007, ApJ 660, 1624). The last two are for binaries: they move the
/// stars along the line of their centres, and are errors of discretization when the model has converged
/// (docs/initial_models.md).
struct effective_potential {
  const mesh::tree& tree;
  const mesh::block_data& gravity;  ///< gravity::result_field
  double omega2 = 0;
  double trim = 0;
  double pull = 0;
  double excess = 0;
  double centre = 0;

  double value(int leaf, int cell, core::vec3d r) const {
    return gravity.at(leaf, gravity::potential)[cell] - 0.5 * omega2 * (r.x * r.x + r.y * r.y) -
           0.5 * trim * r.x * r.x + pull * r.x - 0.5 * excess * ((r.x - centre) * (r.x - centre) + r.y * r.y);
  }
  core::vec3d gradient(int leaf, int cell, core::vec3d r) const {
    const auto g = [&](int d) { return gravity.at(leaf, gravity::acceleration + d)[cell]; };
    return {-g(0) - (omega2 + trim) * r.x + pull - excess * (r.x - centre), -g(1) - omega2 * r.y - excess * r.y, -g(2)};
  }
};

/// Phi along the axis through the origin in a direction (0, 1, 2), from the cells that the axis passes or touches;
/// the model is taken as symmetric about the axis.
axis_profile along_axis(const effective_potential& phi, int direction);

}  // namespace rednova::stellar
