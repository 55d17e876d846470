// What sets the time step, on each level of the mesh.
#pragma once

#include <vector>

#include "core/vec3.hpp"
#include "step/simulation.hpp"

namespace rednova::diagnose {

/// The cell of a level that asks for the shortest step. Light and point masses, which may ask for a shorter one, do not
/// count.
struct step_limit {
  int level = 0;
  double dt = 0;   ///< cfl h / (|u_d| + c): the step that the level's cells would let a run take
  core::vec3d at;  ///< the cell's centre, along the grid's axes
  double density = 0;
  double gas = 0;     ///< speed of the gas in the inertial frame
  double grid = 0;    ///< speed of the turning grid there
  double signal = 0;  ///< |u_d| + c, the largest over the directions, u relative to the grid
};

/// Of all levels that have such cells, the coarsest first, on this rank: of gas of this density or more.
std::vector<step_limit> step_limits(const step::simulation& s, double least_density = 0);

/// How many times fewer steps of a cell a run would take if each level had a step of its own: the shortest of all times
/// the largest power of two that the level, and those finer than it, allow.
double gain_of_own_steps(const step::simulation& s, const std::vector<step_limit>& limits);

}  // namespace rednova::diagnose
