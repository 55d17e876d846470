// What a run will be like, from points of a problem's gas: without fields, and without a model that is iterated for.
#pragma once

#include "problem/problem.hpp"

namespace rednova::problem {

struct outline {
  mesh::tree tree;      ///< at the start
  double dt = 0;        ///< of the first steps
  double rotation = 0;  ///< as in sketch
  double orbital_rate = 0;
  bool iterated = false;
};

/// Refines where the criteria or the problem ask for it, as the run will, by points: four to an edge of a block, or one
/// to each cell where jumps are looked for. A user_error where there would be too many blocks to lay out.
outline outline_of(const problem& p, const config::parameters& par, exec::context& context);

}  // namespace rednova::problem
