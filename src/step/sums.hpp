// What is on the grid: the conserved quantities added up in a fixed order.
#pragma once

#include "step/simulation.hpp"

namespace rednova::step {

struct grid_sums {
  totals value;
  totals magnitude;  ///< the same sums of absolute values: the scale of their rounding
  star_pair stars;   ///< where there are two
};

/// Sums over the leaves in the inertial frame, with the potential energy W = sum m phi / 2 where there is
/// gravity. Compensated within a block and over blocks: same bits on any number of threads and ranks.
grid_sums sum_grid(const simulation& s);

/// Sums up the grid, and over the leaves what the step has added to the ledger; enters both. Returns where the stars
/// are.
star_pair balance_ledger(const simulation& s, ledger& to);

/// Enters what light took along in the last step, of dt(), over the sides of the domain; it is a part of the outflow.
void add_radiated(const simulation& s, ledger& to);

}  // namespace rednova::step
