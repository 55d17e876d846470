// The sweeps and the ends of leaves for a device (sweeps.cpp and leaf_cells.cpp are the processor's): functors of
// exec::cuda::for_each, a thread for each cell. All arrays are the device's, indices are places in them.
//
// Every formula is the processor's (per_cell.hpp), and sums run in its order.
#pragma once

#include "gravity/basis.hpp"
#include "gravity/per_cell.hpp"

namespace rednova::gravity {

inline constexpr int octant_cells = mesh::cells / 8;

/// First number of the block at a place in an array of blocks of `numbers`.
template <class Number>
REDNOVA_FN Number* block_at(Number* all, int place, int numbers) {
  return all + static_cast<std::size_t>(place) * static_cast<std::size_t>(block_size(numbers));
}

/// Cell i of a block in the order of layout.hpp.
struct sorted {
  REDNOVA_FN explicit sorted(int i) : row(i / HH), in_class(i % HH) {}
  REDNOVA_FN int x() const { return 2 * (in_class % H) + (row & 1); }
  REDNOVA_FN int y() const { return 2 * (in_class / H) + (row >> 1 & 1); }
  REDNOVA_FN int z() const { return row / classes; }
  /// Place of the cell's first number.
  REDNOVA_FN int place(int numbers) const { return row * numbers * HH + in_class; }
  /// The octant of the block that the cell lies in, and the octant of its parent that it is.
  REDNOVA_FN int octant() const { return x() / H + 2 * (y() / H) + 4 * (z() / H); }
  REDNOVA_FN int parity() const { return row % (2 * classes); }
  /// The parent's first number in a block of which this one is an octant.
  REDNOVA_FN int parent(int octant_of_block, int numbers) const {
    return sorted_cell(numbers, 0, (octant_of_block & 1) * H + x() / 2, (octant_of_block >> 1 & 1) * H + y() / 2,
                       (octant_of_block >> 2) * H + z() / 2);
  }

  int row;       ///< plane and class
  int in_class;  ///< place within it
};

/// The matrices of the eight octants, one after the other.
struct translations {
  const matrix_entry* entries;
  const int* starts;  ///< [octant][row]: number of the row's first entry; one more at the end
  int rows;

  REDNOVA_FN const matrix_entry* row(int octant, int r) const { return entries + starts[octant * rows + r]; }
};

/// Masses of leaves' cells from their densities.
struct set_leaf_masses {
  const double* density;     ///< [leaf along the curve], `stride` apart, in the order of mesh::cell()
  std::size_t stride;        ///< doubles
  const int* number;         ///< [leaf]: along the curve
  const double* cell_width;  ///< [leaf]
  double* masses;            ///< [leaf]

  REDNOVA_FN void operator()(int i) const {
    const int leaf = i / mesh::cells;
    const sorted c(i % mesh::cells);
    const double h = cell_width[leaf], volume = h * h * h;
    masses[i] = volume * density[static_cast<std::size_t>(number[leaf]) * stride +
                                 static_cast<std::size_t>(mesh::cell(c.x(), c.y(), c.z()))];
  }
};

/// An octant of a leaf.
struct octant_of {
  int leaf, octant;
};

/// Masses of virtual blocks' children, a thread for each of H³ cells.
struct share_masses {
  const octant_of* blocks;  ///< [virtual block]
  const double* masses;     ///< [leaf]
  double* shares;           ///< [virtual block][Z][Y][X]

  REDNOVA_FN void operator()(int i) const {
    const octant_of from = blocks[i / octant_cells];
    const int in = i % octant_cells, o = from.octant;
    const int cell = sorted_cell(1, 0, (o & 1) * H + in % H, (o >> 1 & 1) * H + in / H % H, (o >> 2) * H + in / HH);
    shares[i] = virtual_mass(block_at(masses, from.leaf, 1)[cell]);
  }
};

/// A block that is a leaf, with masses, or refined, with moments.
struct either_block {
  int place;  ///< -1: another rank's
  bool refined;
};

/// P2M and M2M: moments of refined blocks' cells from those of their children. A cell is one of an octant, so that a
/// warp reads one child; octants of other ranks' children stay as they are.
struct lift_cells {
  translations by;               ///< operators::m2m
  const either_block* children;  ///< [refined block][octant]
  int first;                     ///< place of the first block of this launch
  const double* masses;          ///< [leaf]
  double* moments;               ///< [refined block] of by.rows numbers

  REDNOVA_FN void operator()(int i) const {
    const int place = first + i / mesh::cells, octant = i / octant_cells % 8, in = i % octant_cells;
    const either_block child = children[place * 8 + octant];
    if (child.place < 0) return;
    const int numbers = child.refined ? by.rows : 1;
    const double* from =
        child.refined ? block_at<const double>(moments, child.place, numbers) : block_at(masses, child.place, numbers);
    from += 2 * (in / HH) * plane_size(numbers) + in % HH;
    double* to = block_at(moments, place, by.rows) + sorted_cell(by.rows, 0, (octant & 1) * H + in % H,
                                                                 (octant >> 1 & 1) * H + in / H % H,
                                                                 (octant >> 2) * H + in / HH);
    for (int r = 0; r < by.rows; ++r) {
      double sum[1] = {0};
      for (int o = 0; o < 8; ++o) {
        // Columns of a row are in order.
        const matrix_entry *e = by.row(o, r), *end = by.row(o, r + 1);
        for (; e != end && e->column < numbers; ++e) add_entry(*e, from + o * numbers * HH, sum);
      }
      to[r * HH] = sum[0];
    }
  }
};

/// The parent's place, -1 without one, and which of its children a block is.
struct child_of {
  int parent, octant;
};

/// L2L, and the parent's torque by shares of mass: to expansions and torques of refined blocks.
struct sink_cells {
  translations by;          ///< operators::l2l
  const child_of* parents;  ///< [refined block]
  int first;                ///< place of the first block of this launch
  const double* moments;    ///< [refined block] of by.rows numbers
  double *expansions, *torques;

  REDNOVA_FN void operator()(int i) const {
    const int place = first + i / mesh::cells;
    const child_of me = parents[place];
    const sorted c(i % mesh::cells);
    const double* from = block_at(expansions, me.parent, by.rows) + c.parent(me.octant, by.rows);
    double* to = block_at(expansions, place, by.rows) + c.place(by.rows);
    for (int r = 0; r < by.rows; ++r) {
      double sum[1] = {to[r * HH]};
      const matrix_entry* end = by.row(c.parity(), r + 1);
      for (const matrix_entry* e = by.row(c.parity(), r); e != end; ++e) add_entry(*e, from, sum);
      to[r * HH] = sum[0];
    }
    const double inverse = inverse_mass(block_at(moments, me.parent, by.rows)[c.parent(me.octant, by.rows)]);
    const double mass = block_at(moments, place, by.rows)[c.place(by.rows)];
    const double* torque_from = block_at(torques, me.parent, 3) + c.parent(me.octant, 3);
    double* torque_to = block_at(torques, place, 3) + c.place(3);
    for (int d = 0; d < 3; ++d) add_torque(inverse * torque_from[d * HH], mass, torque_to[d * HH]);
  }
};

/// What the end of a leaf needs to know of it.
struct leaf_end {
  int number;  ///< along the curve
  child_of parent;
  double h;              ///< width of its cells
  int virtual_block[8];  ///< [octant]: -1 where there is none
};

/// The end of leaves: L2P, the parent's torque by shares of mass, G = 1, and what virtual children feel.
struct end_cells {
  translations by;                               ///< operators::l2l
  bool smooth;                                   ///< config::cell_mass
  const leaf_end* leaves;                        ///< [leaf]
  const double *masses, *fields;                 ///< [leaf] of 1 and 4 numbers
  const double *shares, *fields_of_shares;       ///< [virtual block]: [Z][Y][X], and of 4 numbers
  const double *moments, *expansions, *torques;  ///< [refined block] of by.rows, by.rows and 3 numbers
  double* result;  ///< [leaf along the curve][result_fields], in the order of mesh::cell()

  REDNOVA_FN void operator()(int i) const {
    const int place = i / mesh::cells;
    const leaf_end& me = leaves[place];
    const sorted c(i % mesh::cells);
    double felt_here[result_fields];
    take_fields(place, c, felt_here);
    if (me.parent.parent >= 0) take_from_parent(me.parent, masses[i], c, felt_here);
    for (int f = 0; f < result_fields; ++f) felt_here[f] *= unit_of(f, me.h);
    if (const int v = me.virtual_block[c.octant()]; v >= 0) take_from_children(v, 0.5 * me.h, c, felt_here);
    double* to =
        result + static_cast<std::size_t>(me.number) * (result_fields * mesh::cells) + mesh::cell(c.x(), c.y(), c.z());
    const double volume = me.h * me.h * me.h;
    for (int f = 0; f < result_fields; ++f) to[f * mesh::cells] = f < torque ? felt_here[f] : felt_here[f] / volume;
  }

 private:
  REDNOVA_FN void take_fields(int place, const sorted& c, double* here) const {
    const double* from = block_at(fields, place, 4) + c.place(4);
    for (int f = 0; f < torque; ++f) here[f] = from[f * HH];
    for (int f = torque; f < result_fields; ++f) here[f] = 0;
    if (smooth) add_own_potential(block_at(masses, place, 1)[c.place(1)], here[potential]);
  }

  REDNOVA_FN void take_from_parent(child_of me, double mass, const sorted& c, double* here) const {
    const double* from = block_at(expansions, me.parent, by.rows) + c.parent(me.octant, by.rows);
    for (int r = 0; r < basis_size(1); ++r) {
      double sum[1] = {here[r]};
      const matrix_entry* end = by.row(c.parity(), r + 1);
      for (const matrix_entry* e = by.row(c.parity(), r); e != end; ++e) add_entry(*e, from, sum);
      here[r] = sum[0];
    }
    const double inverse = inverse_mass(block_at(moments, me.parent, by.rows)[c.parent(me.octant, by.rows)]);
    const double* torque_from = block_at(torques, me.parent, 3) + c.parent(me.octant, 3);
    for (int d = 0; d < 3; ++d) add_torque(inverse * torque_from[d * HH], mass, here[torque + d]);
  }

  REDNOVA_FN void take_from_children(int v, double h, const sorted& c, double* here) const {
    const int in_plane = c.y() % H * H + c.x() % H, plane = c.z() % H;
    const double mass = shares[v * octant_cells + plane * HH + in_plane];
    for (int o = 0; o < 8; ++o) {
      const double* child = block_at(fields_of_shares, v, 4) + ((2 * plane + (o >> 2)) * classes + (o & 3)) * 4 * HH;
      const auto field = [&](int f) { return child[f * HH + in_plane]; };
      const felt<double> more = felt_by_child<double>(o, h, mass, field(0), {field(1), field(2), field(3)});
      here[potential] += more.potential;
      for (int d = 0; d < 3; ++d) {
        here[acceleration + d] += more.acceleration[d];
        here[torque + d] += more.torque[d];
      }
    }
  }
};

}  // namespace rednova::gravity
