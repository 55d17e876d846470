// What point masses at the cells' centres lack of the field of a smooth density.
#pragma once

namespace rednova::gravity {

/// Integral of 1/r minus its sum over the points of a simple cubic lattice but the one at the origin, in units of
/// the cell width (Nijboer & Ruijgrok 1988, J. Stat. Phys. 53, 361, for the Coulomb lattice).
inline constexpr double lattice_constant = 2.837297479480620;

/// The potential of a smooth density is that of the points minus this times a cell's mass over its width.
inline constexpr double own_potential = lattice_constant;

/// In a density gradient the points' acceleration lacks (c/3) h² grad rho, c the lattice constant: by symmetry a third
/// of the same sum. As a force between the cells on both sides of a face it is equal, opposite and central, so that
/// momentum and angular momentum stay conserved: cells that share a face attract each other this much more.
inline constexpr double face_attraction = lattice_constant / 6;

}  // namespace rednova::gravity
