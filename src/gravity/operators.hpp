// The exact translations and rotations of moments and expansions, and the derivatives of -1/r.
//
// A moment is a polynomial S(k) in the symbols k = d/dX of derivatives, modulo k² = 0: masses m_i at places b_i
// about the centre X have S(k) = sum m_i exp(-b_i·k), and the potential at distance R is S(d/dR) (-1/|R|).
// Every operator follows from multiplying and reducing such polynomials. All lengths are in cell widths of
// their own level, so the operators are the same on all levels. In plain form they are in operators_textbook.hpp.
#pragma once

#include <array>
#include <vector>

#include "core/vec3.hpp"

namespace rednova::gravity {

/// One number of a sparse matrix.
struct matrix_entry {
  int row, column;
  double value;
};
using matrix = std::vector<matrix_entry>;

/// Operators up to order p between a cell and its eight children (octant x + 2y + 4z).
struct operators {
  explicit operators(int p);

  int order;
  /// Entries of a row follow each other, rows in order, and columns within a row.
  /// M2M: moment of a cell += m2m[octant] · moment of the child. Its column 0 is P2M: a child that is a leaf
  /// cell, a point mass at its centre.
  std::array<matrix, 8> m2m;
  /// L2L: expansion of the child += l2l[octant] · expansion of the cell. Its rows 0 to 3 are L2P: potential
  /// and gradient at the centre of a leaf cell.
  std::array<matrix, 8> l2l;
  /// Torque of an expansion L on a cell with moment M: torque[d] = -sum rotation[d](row, column) L[row] M[column],
  /// where L and M have the same order.
  std::array<matrix, 3> rotation;
};

/// Derivatives of -1/|R| up to order p in the order of coefficient_index().
std::vector<double> derivatives(int p, core::vec3d r);

}  // namespace rednova::gravity
