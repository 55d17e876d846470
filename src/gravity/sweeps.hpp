// The sweeps between a block and its parent: moments up, expansions and torques down.
//
// Blocks are stored as in layout.hpp: moments and expansions with basis_size(p) numbers a cell, point masses with
// one, fields (potential and its gradient) with four, torques with three. Potentials are in units of m/h, gradients
// in m/h², torques in m²/h, with h the cell width of the block's own level.
#pragma once

#include "gravity/operators.hpp"

namespace rednova::gravity {

/// P2M: adds the moments of a leaf's point masses to its octant of the parent block.
void p2m(const operators& by, int octant, const double* masses, double* parent);

/// M2M: adds a block's moments to its octant of the parent block.
void m2m(const operators& by, int octant, const double* child, double* parent);

/// L2L: adds the expansions of a block's octant to the child block there.
void l2l(const operators& by, int octant, const double* parent, double* child);

/// L2P: adds the potential and gradient that the expansions of a block's octant give to the leaf cells there.
void l2p(const operators& by, int octant, const double* parent, double* fields);

/// Numbers of a block's cells: where they stand and how many each cell has.
struct cell_numbers {
  const double* values;
  int numbers;
};

/// Hands the torques of a block's octant down to the child there, in proportion to mass: adds t_A m_i / M_A, or
/// nothing where M_A is zero. The first of each cell's numbers are the masses.
void hand_down_torque(int octant, const double* parent_torque, cell_numbers parent_mass, cell_numbers child_mass,
                      double* child_torque);

}  // namespace rednova::gravity
