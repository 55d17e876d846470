// Restriction for a device (restrict.cpp is the processor's): functors of a place's for_each, with the processor's
// formulas (restrict_cell.hpp).
#pragma once

#include "exchange/restrict_cell.hpp"
#include "mesh/fields.hpp"
#include "mesh/view.hpp"

namespace rednova::exchange {

/// A cell of a block, with the cells of the block's child that it lies over. Cells are counted octant by octant, so
/// that neighbouring threads read one child.
struct coarse_over_fine {
  static constexpr int H = mesh::N / 2;

  REDNOVA_FN explicit coarse_over_fine(int n)
      : octant(n / (H * H * H)),
        cell(mesh::cell((octant & 1) * H + n % H, (octant >> 1 & 1) * H + n / H % H,
                        (octant >> 2) * H + n / (H * H) % H)),
        fine(n % H, n / H % H, n / (H * H) % H) {}
  int octant, cell;
  eight_cells fine;
};

/// Refined nodes, and which of their octants are to be filled.
struct parent_list {
  const int* node;
  const unsigned char* octants;  ///< bit for each octant

  REDNOVA_FN bool wants(int i, int octant) const { return (octants[i] >> octant & 1) != 0; }
};

/// Fills refined nodes from their children: all fields, a thread for each coarse cell of a field.
struct restrict_gas {
  mesh::tree_view tree;
  mesh::field_numbers fields;
  mesh::block_view<double> u;
  parent_list parents;

  REDNOVA_FN void operator()(int n) const {
    const int i = n / mesh::cells / fields.size(), node = parents.node[i], field = n / mesh::cells % fields.size();
    const coarse_over_fine c(n % mesh::cells);
    if (!parents.wants(i, c.octant)) return;
    const int child = tree.child(node, c.octant);
    double value = children_mean(u.at(child, field), c.fine);
    if (field >= fields.spin() && field < fields.evolved()) {
      const int d = field - fields.spin(), a = (d + 1) % 3, b = (d + 2) % 3;
      value += orbital_spin(u.at(child, fields.momentum(a)), u.at(child, fields.momentum(b)), c.fine, a, b,
                            0.25 * tree.cell_width(node));
    }
    u.at(node, field)[c.cell] = value;
  }
};

/// The same for one scalar field.
struct restrict_one_field {
  mesh::tree_view tree;
  mesh::block_view<double> u;
  int field;
  parent_list parents;

  REDNOVA_FN void operator()(int n) const {
    const int node = parents.node[n / mesh::cells];
    const coarse_over_fine c(n % mesh::cells);
    if (!parents.wants(n / mesh::cells, c.octant)) return;
    u.at(node, field)[c.cell] = children_mean(u.at(tree.child(node, c.octant), field), c.fine);
  }
};

}  // namespace rednova::exchange
