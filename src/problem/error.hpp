// How far a simulation is from the exact solution of its problem.
#pragma once

#include <vector>

#include "problem/problem.hpp"

namespace rednova::problem {

struct error_norms {
  /// Mean |u - u_exact| over the domain, volume-weighted, for each conserved field; u_exact is the cell average.
  std::vector<double> fields;
  double density = 0;        ///< the same for the mass density
  double momentum = 0;       ///< root of the sum of squares of the momentum's three
  double energy = 0;         ///< of the gas energy
  double exact_density = 0;  ///< mean of the exact mass density
  /// Root of the sum of squares of density, momentum and energy (Stone et al. 2008, eq. 89).
  double all() const;
};

/// L1 errors at the simulation's time. A user_error where the problem has no exact solution then.
error_norms l1_error(const step::simulation& s, const problem& p);

}  // namespace rednova::problem
