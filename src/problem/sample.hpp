// From the gas at points to the conserved averages of cells.
#pragma once

#include <functional>

#include "problem/problem.hpp"

namespace rednova::problem {

using gas_at = std::function<gas(core::vec3d)>;

/// Internal energy per volume of gas of a model at x; a user_error where no gas has so little pressure.
double energy_of(const eos::gas& eos, double rho, double pressure, double hydrogen, core::vec3d x);

/// Averages of the conserved fields over a cube: `subcells`³ times 2³ Gauss points, so of fourth order.
///
/// The entropy tracer is that of the mean internal energy. The spin is rho times the mean of (x - x_c) × v, which for
/// a linear velocity is (rho h²/12) curl v. u: fields.evolved() values.
void cell_average(const gas_at& f, const mesh::fields& fields, const eos::gas& eos, core::vec3d centre, double h,
                  int subcells, double* u);

/// The same for all cells of a leaf, each in as many parts as the problem says. u: [field][cell].
void sample_leaf(const problem& p, const gas_at& f, const step::simulation& s, int leaf, double* u);

}  // namespace rednova::problem
