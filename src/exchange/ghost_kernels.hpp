// The ghost layers of many blocks for a device (ghosts.cpp and ghost_prolongation.cpp are the processor's): functors of
// an execution space's for_each. All arrays are in its memory.
//
// Every formula is the processor's (physical_boundary.hpp, prolong_gas.hpp), so that results are its own to the bit
// where products are not fused with sums.
#pragma once

#include "exchange/ghosts.hpp"
#include "exchange/physical_boundary.hpp"
#include "exchange/prolong_gas.hpp"
#include "exchange/sides.hpp"
#include "mesh/view.hpp"

namespace rednova::exchange {

/// What all these kernels work on.
struct gathered_blocks {
  mesh::tree_view tree;
  const int* nodes;  ///< [i]: whose neighbourhoods
  double* out;       ///< [i][field][ghosted cell]
  int fields;        ///< of out

  REDNOVA_FN double* block(int i) const { return out + static_cast<std::ptrdiff_t>(i) * fields * mesh::ghosted_cells; }
};

/// Copies a block and what blocks of its level give, a thread for each ghosted cell.
struct copy_ghosts {
  gathered_blocks to;
  mesh::block_view<const double> u;
  int first;  ///< field

  REDNOVA_FN void operator()(int n) const {
    const int i = n / mesh::ghosted_cells, cell = n % mesh::ghosted_cells;
    const int x = cell % mesh::M - mesh::ghosts, y = cell / mesh::M % mesh::M - mesh::ghosts,
              z = cell / (mesh::M * mesh::M) - mesh::ghosts;
    const int side = side_of_cell(x, y, z);
    if (!cells_of(offset(side)).holds({x, y, z})) return;
    const int m = to.tree.neighbour(to.nodes[i], side);
    if (m < 0) return;
    const double* from = u.at(m, first) + cell_in_neighbour(x, y, z);
    double* target = to.block(i) + cell;
    for (int f = 0; f < to.fields; ++f) target[f * mesh::ghosted_cells] = from[f * mesh::cells];
  }
};

/// A coarse cell behind a side of a block: where its stencil is read and where its children go.
class coarse_cell {
 public:
  /// n: number among a block's coarse ghost cells.
  REDNOVA_FN coarse_cell(const mesh::tree_view& tree, int node, int n)
      : tree_(&tree),
        node_(node),
        place_(nth_of_sides(n, coarse_face_cells, coarse_edge_cells)),
        octant_(tree[node].id.octant()) {}
  /// Whether the side is of a coarser block.
  REDNOVA_FN bool is_coarser() const { return tree_->neighbour(node_, place_.side) == mesh::no_block; }

  /// Reads the fields of u around the cell; beyond the domain it stands for its neighbour.
  class reader {
   public:
    REDNOVA_FN reader(const coarse_cell& of, const mesh::block_view<const double>& u) {
      const std::array<int, 3> c = coarse_cells_of(offset(of.place_.side), of.octant_).cell(of.place_.number);
      centre_ = of.find(u, c[0], c[1], c[2]);
      for (int d = 0; d < 3; ++d) {
        const int x = d == 0 ? 1 : 0, y = d == 1 ? 1 : 0, z = d == 2 ? 1 : 0;
        const double* below = of.find(u, c[0] - x, c[1] - y, c[2] - z);
        const double* above = of.find(u, c[0] + x, c[1] + y, c[2] + z);
        lower_[d] = below != nullptr ? below : centre_;
        upper_[d] = above != nullptr ? above : centre_;
      }
    }
    REDNOVA_FN stencil_of<double> operator()(int field) const {
      const int at = field * mesh::cells;
      return {
          centre_[at], {lower_[0][at], lower_[1][at], lower_[2][at]}, {upper_[0][at], upper_[1][at], upper_[2][at]}};
    }

   private:
    const double *centre_, *lower_[3], *upper_[3];
  };

  /// Writes those children that the side holds to out: [field][ghosted cell].
  class writer {
   public:
    REDNOVA_FN writer(const coarse_cell& of, double* out) : out_(out) {
      const std::array<int, 3> d = offset(of.place_.side);
      const cell_box fine = cells_of(d);
      const std::array<int, 3> c = coarse_cells_of(d, of.octant_).cell(of.place_.number);
      for (int child = 0; child < 8; ++child) {
        const std::array<int, 3> x = child_cell(c, child, of.octant_);
        at_[child] = fine.holds(x) ? mesh::ghosted(x[0], x[1], x[2]) : -1;
      }
    }
    REDNOVA_FN void operator()(int field, int child, double value) const {
      if (at_[child] >= 0) out_[field * mesh::ghosted_cells + at_[child]] = value;
    }

   private:
    double* out_;
    int at_[8];
  };

 private:
  /// The first field of a cell that is counted from the parent, null beyond the domain.
  REDNOVA_FN const double* find(const mesh::block_view<const double>& u, int i, int j, int k) const {
    const int m = tree_->neighbour((*tree_)[node_].parent, side_of_cell(i, j, k));
    return m >= 0 ? u.at(m) + cell_in_neighbour(i, j, k) : nullptr;
  }

  const mesh::tree_view* tree_;
  int node_;
  cell_of_side place_;
  int octant_;
};

/// The sides that coarser blocks give, all fields: a thread for each coarse ghost cell of each block.
struct prolong_gas_ghosts {
  gathered_blocks to;
  mesh::block_view<const double> u;
  mesh::field_numbers numbers;

  REDNOVA_FN void operator()(int n) const {
    const int i = n / coarse_ghost_cells, node = to.nodes[i];
    const coarse_cell c(to.tree, node, n % coarse_ghost_cells);
    if (!c.is_coarser()) return;
    prolong_gas<double>(numbers, coarse_cell::reader(c, u), 2 * to.tree.cell_width(node),
                        coarse_cell::writer(c, to.block(i)));
  }
};

/// The same for fields that are scalars each, with their own slopes.
struct prolong_scalar_ghosts {
  gathered_blocks to;
  mesh::block_view<const double> u;
  int first;                      ///< field
  int extinction = ghosts::none;  ///< a field, where the first is light's energy, or ghosts::none

  REDNOVA_FN void operator()(int n) const {
    const int i = n / coarse_ghost_cells, node = to.nodes[i];
    const coarse_cell c(to.tree, node, n % coarse_ghost_cells);
    if (!c.is_coarser()) return;
    const coarse_cell::reader read(c, u);
    const coarse_cell::writer write(c, to.block(i));
    for (int f = 0; f < to.fields; ++f) {
      const bool light = f == 0 && extinction != ghosts::none;
      const linear<double> value =
          light ? light_in_cell<double>(read(first), read(extinction), 2 * to.tree.cell_width(node))
                : linear<double>(read(first + f));
      for (int child = 0; child < 8; ++child) write(f, child, value(child));
    }
  }
};

/// A cell of a block's ghost layers that may lie beyond the domain.
struct outer_cell {
  /// n: number among a block's ghost cells.
  REDNOVA_FN explicit outer_cell(int n) {
    const cell_of_side place = nth_of_sides(n, face_cells, edge_cells);
    side = place.side;
    d = offset(side);
    at = cells_of(d).cell(place.number);
  }
  int side;
  std::array<int, 3> d;  ///< offset of the side
  std::array<int, 3> at;
};

/// The sides beyond the domain, all fields: a thread for each ghost cell of each block, when the others are in place.
struct boundary_gas_ghosts {
  gathered_blocks to;
  walls by;

  REDNOVA_FN void operator()(int n) const {
    const int i = n / ghost_cells, node = to.nodes[i];
    const outer_cell c(n % ghost_cells);
    if (to.tree.neighbour(node, c.side) != mesh::outside) return;
    boundary_cell(by, c.at, c.d, across_of(c.d, to.tree[node].neighbour.data()),
                  to.tree.centre(node, c.at[0], c.at[1], c.at[2]), to.block(i));
  }
};

/// The same for fields that are scalars each: the nearest cell's value.
struct boundary_scalar_ghosts {
  gathered_blocks to;

  REDNOVA_FN void operator()(int n) const {
    const int i = n / ghost_cells;
    const outer_cell c(n % ghost_cells);
    if (to.tree.neighbour(to.nodes[i], c.side) != mesh::outside) return;
    double* out = to.block(i);
    const int ghost = mesh::ghosted(c.at[0], c.at[1], c.at[2]), nearest = nearest_inside(c.at[0], c.at[1], c.at[2]);
    for (int f = 0; f < to.fields; ++f, out += mesh::ghosted_cells) out[ghost] = out[nearest];
  }
};

}  // namespace rednova::exchange
