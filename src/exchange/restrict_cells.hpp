// Restriction, cell by cell: a coarse cell from its eight children, for cores (restrict.cpp) and for devices.
#pragma once

#include "mesh/fields.hpp"
#include "mesh/view.hpp"

namespace rednova::exchange {

/// Cells of a child along each edge of the octant that it fills.
inline constexpr int octant_edge = mesh::N / 2;

/// A cell of a refined node, counted from the corner of one of its octants: 0 … octant_edge-1 in each direction.
struct octant_cell {
  int octant, i, j, k;

  REDNOVA_FN int coarse() const {
    return mesh::cell((octant & 1) * octant_edge + i, (octant >> 1 & 1) * octant_edge + j,
                      (octant >> 2) * octant_edge + k);
  }
};

/// Positions in a child's block of the eight cells that make a coarse one.
struct eight_cells {
  REDNOVA_FN explicit eight_cells(const octant_cell& c) {
    for (int n = 0; n < 8; ++n) at[n] = mesh::cell(2 * c.i + (n & 1), 2 * c.j + (n >> 1 & 1), 2 * c.k + (n >> 2));
  }
  int at[8];
};

/// The mean over the children.
REDNOVA_FN double children_mean(const double* u, const eight_cells& fine) {
  const int(&at)[8] = fine.at;
  return 0.125 * (((u[at[0]] + u[at[1]]) + (u[at[2]] + u[at[3]])) + ((u[at[4]] + u[at[5]]) + (u[at[6]] + u[at[7]])));
}

/// mean((x_i - x_c)_axis s_i) over the children, in units of a quarter of the coarse width.
REDNOVA_FN double children_moment(const double* s, const eight_cells& fine, int axis) {
  double sum = 0;
  for (int c = 0; c < 8; ++c) sum += (c >> axis & 1) ? s[fine.at[c]] : -s[fine.at[c]];
  return 0.125 * sum;
}

/// Spin about the axis that follows a and b, which the children's momenta along these have in a coarse cell of four
/// times the width `quarter`: mean((x_i - x_c) × s_i).
REDNOVA_FN double orbital_spin(const double* sa, const double* sb, const eight_cells& fine, int a, int b,
                               double quarter) {
  return quarter * (children_moment(sb, fine, a) - children_moment(sa, fine, b));
}

/// Fills a cell of a refined node from the child that lies there: means of densities, and for the spin the mean of
/// l_i + (x_i - x_c) × s_i, which keeps the angular momentum.
struct restrict_gas_cell {
  mesh::tree_view tree;
  mesh::field_numbers fields;
  mesh::block_view<double> u;

  REDNOVA_FN int size() const { return fields.size(); }
  REDNOVA_FN void operator()(int node, int field, const octant_cell& c) const {
    const int child = tree.child(node, c.octant);
    const eight_cells fine(c);
    double value = children_mean(u.at(child, field), fine);
    if (field >= fields.spin() && field < fields.evolved()) {
      const int d = field - fields.spin(), a = (d + 1) % 3, b = (d + 2) % 3;
      value += orbital_spin(u.at(child, fields.momentum(a)), u.at(child, fields.momentum(b)), fine, a, b,
                            0.25 * tree.cell_width(node));
    }
    u.at(node, field)[c.coarse()] = value;
  }
};

/// The same for some fields as scalars.
struct restrict_scalar_cell {
  mesh::tree_view tree;
  mesh::block_view<double> u;
  int first;  ///< field
  int count = 1;

  REDNOVA_FN int size() const { return count; }
  REDNOVA_FN void operator()(int node, int field, const octant_cell& c) const {
    const int f = first + field;
    u.at(node, f)[c.coarse()] = children_mean(u.at(tree.child(node, c.octant), f), eight_cells(c));
  }
};

/// A core fills all fields of one octant.
template <class Functor>
void fill_octant(const Functor& restrict_cell, int node, int octant) {
  for (int field = 0; field < restrict_cell.size(); ++field)
    for (int k = 0; k < octant_edge; ++k)
      for (int j = 0; j < octant_edge; ++j)
        for (int i = 0; i < octant_edge; ++i) restrict_cell(node, field, {octant, i, j, k});
}

/// Refined nodes, and which of their octants are to be filled.
struct parent_list {
  const int* node;
  const unsigned char* octants;  ///< bit for each octant

  REDNOVA_FN bool fills(int i, int octant) const { return (octants[i] >> octant & 1) != 0; }
};

/// A device has a thread for each coarse cell of a field. Cells are counted octant by octant, so that neighbouring
/// threads read one child.
template <class Functor>
struct fill_parents {
  Functor restrict_cell;
  parent_list parents;

  REDNOVA_FN void operator()(int n) const {
    constexpr int H = octant_edge;
    const int of_block = n / mesh::cells, i = of_block / restrict_cell.size(), cell = n % mesh::cells;
    const octant_cell c{cell / (H * H * H), cell % H, cell / H % H, cell / (H * H) % H};
    if (parents.fills(i, c.octant)) restrict_cell(parents.node[i], of_block % restrict_cell.size(), c);
  }
};

}  // namespace rednova::exchange
