// Refined nodes hold the averages of their children, so that every neighbour is found at one's own level.
#pragma once

#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/fields.hpp"
#include "mesh/tree.hpp"

namespace rednova::exchange {

/// Fills an octant of a refined node from the child that lies there: means of densities, and for the spin the mean of
/// l_i + (x_i - x_c) × s_i, which keeps the angular momentum.
void restrict_octant(const mesh::tree& t, const mesh::fields& fields, mesh::block_data& u, int node, int octant);
/// The same for one scalar field.
void restrict_scalar_octant(const mesh::tree& t, mesh::block_data& u, int field, int node, int octant);

/// Fills all refined nodes of a tree that one rank holds, finest level first. u: [nodes][fields].
void restrict_all(exec::context& context, const mesh::tree& t, const mesh::fields& fields, mesh::block_data& u);

}  // namespace rednova::exchange
