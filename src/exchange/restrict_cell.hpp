// A coarse cell from its eight children, for the processor and for devices.
#pragma once

#include "exec/macros.hpp"
#include "mesh/block.hpp"

namespace rednova::exchange {

/// Positions in a block of the eight cells that coarse cell (i, j, k) of an octant, 0 … N/2-1 each, lies over.
struct eight_cells {
  REDNOVA_FN eight_cells(int i, int j, int k) {
    for (int c = 0; c < 8; ++c) at[c] = mesh::cell(2 * i + (c & 1), 2 * j + (c >> 1 & 1), 2 * k + (c >> 2));
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

}  // namespace rednova::exchange
