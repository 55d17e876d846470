// Where the gas of a leaf of the next mesh comes from: cell by cell, for the processor and for devices.
#pragma once

#include <vector>

#include "exchange/prolong_gas.hpp"
#include "mesh/fields.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/view.hpp"

namespace rednova::regrid {

/// A leaf of the next tree and what of the old one it is made of.
struct origin {
  int place;   ///< of the leaf, among own ones
  int node;    ///< of the old tree: a leaf, or a refined node whose leaves merge
  int octant;  ///< of the old leaf that it is made of; whole: all of the node
  static constexpr int whole = -1;
};

/// Of a rank's own leaves of `to`.
std::vector<origin> origins(const mesh::tree& from, const mesh::tree& to, const mesh::local_partition& own);

/// A field on the cells of an old leaf and, one cell around, of its same-level neighbours. Where there is none of
/// the same level (coarser or beyond the domain) the nearest cell stands in, which only flattens the slope.
class around {
 public:
  REDNOVA_FN around(const mesh::tree_view& t, const mesh::block_view<const double>& u, int leaf)
      : tree_(t), u_(u), leaf_(leaf) {}
  REDNOVA_FN exchange::stencil stencil(int field, int i, int j, int k) const {
    const double centre = u_.at(leaf_, field)[mesh::cell(i, j, k)];
    return {centre,
            {at(field, i - 1, j, k, centre), at(field, i, j - 1, k, centre), at(field, i, j, k - 1, centre)},
            {at(field, i + 1, j, k, centre), at(field, i, j + 1, k, centre), at(field, i, j, k + 1, centre)}};
  }

 private:
  REDNOVA_FN static int beyond(int x) { return x < 0 ? -1 : x >= mesh::N ? 1 : 0; }
  REDNOVA_FN double at(int field, int i, int j, int k, double otherwise) const {
    const int x = beyond(i), y = beyond(j), z = beyond(k);
    const int m = tree_.neighbour(leaf_, mesh::side(x, y, z));
    return m < 0 ? otherwise : u_.at(m, field)[mesh::cell(i - x * mesh::N, j - y * mesh::N, k - z * mesh::N)];
  }

  mesh::tree_view tree_;
  mesh::block_view<const double> u_;
  int leaf_;
};

inline constexpr int octant_cells = mesh::cells / 8;

/// The eight children of cell 0 … octant_cells-1 of an octant of an old leaf. u: the new leaf's, [field][cell].
REDNOVA_FN void prolong_cell(const mesh::tree_view& from, const mesh::field_numbers& fields,
                             const mesh::block_view<const double>& old, const origin& of, int cell, double* u) {
  constexpr int half = mesh::N / 2;
  const around view(from, old, of.node);
  const int i = cell % half, j = cell / half % half, k = cell / half / half;
  const int x = (of.octant & 1) * half + i, y = (of.octant >> 1 & 1) * half + j, z = (of.octant >> 2) * half + k;
  exchange::divide_gas(
      fields, [&](int field) { return view.stencil(field, x, y, z); }, from.cell_width(of.node),
      [&](int field, int c, double value) {
        u[field * mesh::cells + mesh::cell(2 * i + (c & 1), 2 * j + (c >> 1 & 1), 2 * k + (c >> 2))] = value;
      });
}

/// The fields of a leaf of the next mesh, number by number.
struct transfer_cells {
  mesh::tree_view from;
  mesh::field_numbers fields;
  mesh::block_view<const double> old;
  double* u;  ///< [own leaf][field][cell]

  /// Of a leaf that is a whole node of the old tree: 0 … numbers()-1.
  REDNOVA_FN void copy(const origin& of, int number) const { leaf(of)[number] = old.at(of.node)[number]; }
  /// Of a leaf that is an octant of an old one: the children of its cells 0 … octant_cells-1.
  REDNOVA_FN void prolong(const origin& of, int cell) const { prolong_cell(from, fields, old, of, cell, leaf(of)); }
  REDNOVA_FN int numbers() const { return fields.size() * mesh::cells; }

 private:
  REDNOVA_FN double* leaf(const origin& of) const { return u + static_cast<std::ptrdiff_t>(of.place) * numbers(); }
};

/// A device has a thread for each number of a leaf that is copied,
struct copy_leaves {
  transfer_cells transfer;
  const origin* list;

  REDNOVA_FN void operator()(int n) const { transfer.copy(list[n / transfer.numbers()], n % transfer.numbers()); }
};
/// and one for each old cell of a leaf that is prolonged.
struct prolong_leaves {
  transfer_cells transfer;
  const origin* list;

  REDNOVA_FN void operator()(int n) const { transfer.prolong(list[n / octant_cells], n % octant_cells); }
};

}  // namespace rednova::regrid
