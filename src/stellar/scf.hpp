// The self-consistent field method (Hachisu 1986, ApJS 62, 461; Even & Tohline 2009, ApJS 184, 248) on an adaptive
// mesh: density -> potential -> enthalpy -> density, until it no longer changes.
#pragma once

#include <functional>
#include <vector>

#include "config/parameters.hpp"
#include "stellar/figure.hpp"

namespace rednova::stellar {

/// How the mesh follows the density.
struct mesh_plan {
  mesh::domain box;
  int min_level = 0;
  int max_level = 0;
  /// +1, 0 or -1 for each leaf of the model.
  std::function<std::vector<int>(const model&)> flags;
  /// Called before a mesh of so many leaves is made; may refuse it by an exception.
  std::function<void(int)> before = [](int) {};
};

struct scf_settings {
  double tolerance = 1e-5;   ///< converged when the density changes by less (model::change)
  int max_iterations = 200;  ///< a user_error beyond
  double relaxation = 1;     ///< share of the new density in the next one
  /// Called after every iteration.
  std::function<void(const model&)> progress = [](const model&) {};
};

/// Iterates from the figure's guess to convergence. It starts where the smallest star has four cells to a
/// radius and allows one more level whenever the density has settled to a tenth of a percent. The sums of the result
/// are filled (sum_up).
model self_consistent_field(exec::context& context, const config::gravity& gravity, const mesh_plan& plan, figure& f,
                            const scf_settings& settings);

}  // namespace rednova::stellar
