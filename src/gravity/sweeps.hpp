// The upward and downward passes and the fields of leaves: functors over cells, written once for cores and devices.
//
// f.at<T>(place, i) works on lanes<T> cells, from cell i on, of the block at a place. A core steps through a block by
// packs (for_block), a device has a thread for each cell (single_cells); both are in cell_order.hpp. Potentials are in
// units of m/h, gradients in m/h², torques in m²/h, with h the cell width of the block's own level.
#pragma once

#include "gravity/basis.hpp"
#include "gravity/block_tables.hpp"
#include "gravity/cell_order.hpp"
#include "gravity/per_cell.hpp"

namespace rednova::gravity {

/// Masses of leaves' cells from their densities.
struct set_masses {
  static constexpr int cells = mesh::cells;
  const leaf_block* leaves;           ///< [leaf]
  block_array<const double> density;  ///< [leaf along the curve], in the order of mesh::cell()
  block_array<double> masses;         ///< [leaf]

  template <class T>
  REDNOVA_FN void at(int place, int i) const {
    const leaf_block& me = leaves[place];
    const double volume = me.h * me.h * me.h;
    const sorted_cells c(i);
    const double* from = density[me.number] + c.in_order();
    exec::store(masses[place] + i, T(volume * load_lanes<T>(from, sorted_in_order{})));
  }
};

/// Masses of ghost blocks' cells: each leaf cell has eight ghost children with equal masses, which are stored once.
struct set_ghost_masses {
  static constexpr int cells = octant_cells;
  const octant_of* ghosts;           ///< [ghost block]
  block_array<const double> masses;  ///< [leaf]
  double* ghost_masses;              ///< [ghost block][Z][Y][X]

  template <class T>
  REDNOVA_FN void at(int place, int i) const {
    const octant_of from = ghosts[place];
    const double* first = masses[from.leaf] + octant_cell(from.octant, i).place(1);
    const T mass = load_lanes<T>(first, octant_in_block{1});
    exec::store(ghost_masses + static_cast<std::size_t>(place) * cells + i, ghost_mass(mass));
  }
};

/// P2M and M2M: moments of refined blocks' cells from those of their children, octant by octant. Octants with other
/// ranks' children are left unchanged.
struct add_up_moments {
  static constexpr int cells = mesh::cells;
  translations m2m;                  ///< operators::m2m
  const either_block* children;      ///< [refined block][octant]
  block_array<const double> masses;  ///< [leaf]
  block_array<double> moments;       ///< [refined block] of m2m.rows numbers

  template <class T>
  REDNOVA_FN void at(int place, int i) const {
    const int octant = i / octant_cells, in = i % octant_cells, numbers = m2m.rows;
    const either_block child = children[place * 8 + octant];
    if (child.place < 0) return;
    // A cell's eight children are in the four classes of two planes.
    const int of_child = child.refined ? numbers : 1;
    const double* from = child.refined ? moments[child.place] : masses[child.place];
    from += 2 * (in / HH) * plane_size(of_child) + in % HH;
    double* to = moments[place] + octant_cell(octant, in).place(numbers);
    for (int r = 0; r < numbers; ++r) {
      T sum(0.0);
      for (int o = 0; o < 8; ++o) {
        // Columns of a row are in order.
        const matrix_entry *e = m2m.row(o, r), *end = m2m.row(o, r + 1);
        for (; e != end && e->column < of_child; ++e) {
          sum += e->value * exec::load<T>(from + (o * of_child + e->column) * HH);
        }
      }
      store_lanes(to + r * HH, octant_in_block{numbers}, sum);
    }
  }
};

/// The numbers of cells of an octant. Those of a single cell are read where they stand; those of a pack, which do not
/// lie side by side, are loaded once.
template <class T>
struct octant_numbers {
  T values[basis_size(5)];

  octant_numbers(const double* first, int numbers) {
    for (int n = 0; n < numbers; ++n) {
      values[n] = load_lanes<T>(first + n * HH, octant_in_block{numbers});
    }
  }
  const T& operator[](int n) const { return values[n]; }
};
template <>
struct octant_numbers<double> {
  const double* first;

  REDNOVA_FN octant_numbers(const double* of, int) : first(of) {}
  REDNOVA_FN double operator[](int n) const { return first[n * HH]; }
};

/// Refined blocks whose expansions and torques are handed down.
struct parent_blocks {
  translations l2l;                                        ///< operators::l2l
  block_array<const double> moments, expansions, torques;  ///< of l2l.rows, l2l.rows and 3 numbers
};

/// Cells i … of an octant of a parent block, which hand down to their children.
template <class T>
class parent_cells {
 public:
  REDNOVA_FN parent_cells(const parent_blocks& of, child_of block, int i)
      : parent_cells(of, block.parent, octant_cell(block.octant, i)) {}

  /// `sum` plus number r of the expansion (L2L), or of potential and gradient (L2P), for the children of a parity.
  REDNOVA_FN T add_expansion(int parity, int r, T sum) const {
    const matrix_entry* end = l2l_.row(parity, r + 1);
    for (const matrix_entry* e = l2l_.row(parity, r); e != end; ++e) sum += e->value * expansion_[e->column];
    return sum;
  }
  /// `sum` plus the children's part of the parents' torques about axis d, in proportion to mass; none where a parent
  /// has no mass.
  REDNOVA_FN T add_torque(int d, const T& mass, const T& sum) const {
    return gravity::add_torque(T(inverse_mass_ * first_of(torque_ + d * HH, 3)), mass, sum);
  }

 private:
  REDNOVA_FN parent_cells(const parent_blocks& of, int place, const octant_cell& c)
      : l2l_(of.l2l),
        expansion_(of.expansions[place] + c.place(of.l2l.rows), of.l2l.rows),
        inverse_mass_(inverse_mass(first_of(of.moments[place] + c.place(of.l2l.rows), of.l2l.rows))),
        torque_(of.torques[place] + c.place(3)) {}
  REDNOVA_FN static T first_of(const double* first, int numbers) {
    return load_lanes<T>(first, octant_in_block{numbers});
  }

  translations l2l_;
  octant_numbers<T> expansion_;
  T inverse_mass_;
  const double* torque_;
};

/// L2L, and the torques: adds to refined blocks what their parents hand down.
struct hand_down {
  static constexpr int cells = mesh::cells;
  static constexpr bool cells_are_children = true;
  parent_blocks from;
  const child_of* parents;                  ///< [refined block]
  block_array<double> expansions, torques;  ///< [refined block]: the arrays of `from`

  template <class T>
  REDNOVA_FN void at(int place, int i, parity_range range) const {
    const int numbers = from.l2l.rows;
    const parent_cells<T> parent(from, parents[place], i);
    for (int parity = range.first; parity < range.last; ++parity) {
      const sorted_cells c = children_of(i, parity);
      double *expansion = expansions[place] + c.place(numbers), *torque = torques[place] + c.place(3);
      for (int r = 0; r < numbers; ++r, expansion += HH) {
        exec::store(expansion, parent.add_expansion(parity, r, exec::load<T>(expansion)));
      }
      const T mass = exec::load<T>(from.moments[place] + c.place(numbers));
      for (int d = 0; d < 3; ++d, torque += HH) {
        exec::store(torque, parent.add_torque(d, mass, exec::load<T>(torque)));
      }
    }
  }
};

/// The fields of leaves but for the part of ghost children: near field, L2P and torques, with G = 1. Torques are those
/// of cells: add_ghost_fields and divide_torques follow.
struct set_fields {
  static constexpr int cells = mesh::cells;
  static constexpr bool cells_are_children = true;
  parent_blocks from;
  bool smooth;                               ///< config::cell_mass
  const leaf_block* leaves;                  ///< [leaf]
  block_array<const double> masses, fields;  ///< [leaf] of 1 and 4 numbers: near field
  block_array<double> result;                ///< [leaf along the curve][result_fields], in the order of mesh::cell()

  template <class T>
  REDNOVA_FN void at(int place, int i, parity_range range) const {
    const leaf_block& me = leaves[place];
    if (me.parent.parent < 0) {
      set(me, i, range, [&](int parity) { return near_fields<T>(place, i, parity); });
      return;
    }
    const parent_cells<T> parent(from, me.parent, i);
    set(me, i, range, [&](int parity) {
      all_fields<T> here = near_fields<T>(place, i, parity);
      for (int r = 0; r < basis_size(1); ++r) here.field[r] = parent.add_expansion(parity, r, here.field[r]);
      for (int d = 0; d < 3; ++d) here.field[torque + d] = parent.add_torque(d, here.mass, here.field[torque + d]);
      return here;
    });
  }

 private:
  template <class T>
  struct all_fields {
    T mass, field[result_fields];
  };
  template <class T>
  REDNOVA_FN all_fields<T> near_fields(int place, int i, int parity) const {
    const sorted_cells c = children_of(i, parity);
    const double* near = fields[place] + c.place(4);
    all_fields<T> here;
    here.mass = exec::load<T>(masses[place] + c.place(1));
    for (int f = 0; f < torque; ++f) here.field[f] = exec::load<T>(near + f * HH);
    for (int f = torque; f < result_fields; ++f) here.field[f] = T(0.0);
    if (smooth) here.field[potential] = add_own_potential(here.mass, here.field[potential]);
    return here;
  }
  template <class FieldsOf>
  REDNOVA_FN void set(const leaf_block& me, int i, parity_range range, const FieldsOf& fields_of) const {
    using T = decltype(fields_of(0).mass);
    for (int p = range.first; p < range.last; p += exec::lanes<T> == 1 ? 1 : 2) {
      double* to = result[me.number] + children_of(i, p).in_order();
      const all_fields<T> here = fields_of(p);
      if constexpr (exec::lanes<T> == 1) {
        for (int f = 0; f < result_fields; ++f) to[f * mesh::cells] = unit_of(f, me.h) * here.field[f];
      } else {
        const all_fields<T> beside = fields_of(p + 1);
        for (int f = 0; f < result_fields; ++f) {
          const double unit = unit_of(f, me.h);
          store_interleaved(to + f * mesh::cells, T(unit * here.field[f]), T(unit * beside.field[f]));
        }
      }
    }
  }
};

/// Adds the fields of an octant's ghost children to a leaf's result: the means of potential and acceleration, and the
/// torque of the forces about the cell's centre.
struct add_ghost_fields {
  static constexpr int cells = octant_cells;
  const leaf_block* leaves;          ///< [leaf]
  const octant_of* ghosts;           ///< [ghost block]
  const double* ghost_masses;        ///< [ghost block][Z][Y][X]
  block_array<const double> fields;  ///< [ghost block] of 4 numbers: near field
  block_array<double> result;        ///< as set_fields has it

  template <class T>
  REDNOVA_FN void at(int place, int i) const {
    const octant_of block = ghosts[place];
    const leaf_block& leaf = leaves[block.leaf];
    const T mass = exec::load<T>(ghost_masses + static_cast<std::size_t>(place) * cells + i);
    double* to = result[leaf.number] + octant_cell(block.octant, i).in_order();
    T here[result_fields];
    for (int f = 0; f < result_fields; ++f) here[f] = load_lanes<T>(to + f * mesh::cells, octant_in_order{});
    // The children of one parity of a plane of cells are one class of a plane of the ghost block.
    const double* child = fields[place] + 2 * (i / HH) * plane_size(4) + i % HH;
    for (int o = 0; o < 8; ++o, child += 4 * HH) {
      const auto field = [&](int f) { return exec::load<T>(child + f * HH); };
      const ghost_fields<T> more = fields_of_ghost<T>(o, 0.5 * leaf.h, mass, field(0), {field(1), field(2), field(3)});
      here[potential] += more.potential;
      for (int d = 0; d < 3; ++d) {
        here[acceleration + d] += more.acceleration[d];
        here[torque + d] += more.torque[d];
      }
    }
    for (int f = 0; f < result_fields; ++f) store_lanes(to + f * mesh::cells, octant_in_order{}, here[f]);
  }
};

/// From torques of cells to torques per volume.
struct divide_torques {
  static constexpr int cells = mesh::cells;
  const leaf_block* leaves;    ///< [leaf]
  block_array<double> result;  ///< as set_fields has it

  template <class T>
  REDNOVA_FN void at(int place, int i) const {
    const leaf_block& me = leaves[place];
    const double volume = me.h * me.h * me.h;
    double* to = result[me.number] + torque * mesh::cells + i;
    for (int d = 0; d < 3; ++d, to += mesh::cells) exec::store(to, T(exec::load<T>(to) / volume));
  }
};

}  // namespace rednova::gravity
