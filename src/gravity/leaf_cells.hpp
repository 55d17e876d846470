// What is done cell by cell to a leaf: its cells sorted and back, and what its virtual children feel.
#pragma once

namespace rednova::gravity {

/// masses, a block of one number (layout.hpp), from the density of a leaf's cells in the order of mesh::cell().
void set_masses(const double* density, double cell_volume, double* masses);

/// Number `number` of a block of `numbers` times a factor, in the order of mesh::cell().
void put_in_order(const double* sorted, int numbers, int number, double factor, double* cells);

/// Adds to potentials, number 0 of a block of four, what a cell's own mass, and its being no point, does.
void add_own_potential(const double* masses, double* fields);

/// Mass of an octant's cells shared out among their virtual children: [Z][Y][X].
void share_mass(int octant, const double* masses, double* shares);

/// Brings what the virtual children of an octant feel back to its cells: adds the mean of their potentials and
/// accelerations, and the torque of their forces about the cell's centre, to a leaf's result (gravity::result_field).
/// h: width of a child; shares: its masses as of share_mass(); fields: of the children, a block of four.
void add_children(int octant, double h, const double* shares, const double* fields, double* result);

}  // namespace rednova::gravity
