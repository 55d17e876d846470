// Which pairs of cells interact on a level, and the coefficients of their offsets.
//
// Offsets (dx, dy, +c) and (dx, dy, -c) have the same coefficients up to sign, so where both interact the two
// source planes are first added and subtracted, and one operator serves both.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exec/array.hpp"
#include "gravity/tiles.hpp"

namespace rednova::gravity {

/// Slabs: the source planes around a target block, [class][row Y][number][X], with `reach` rows more on both
/// sides in Y and slab_margin(width) cells more on both sides in X. Where it holds what is in reach, a width of 2 H
/// makes each number of a row one aligned pack or more, and less to copy.
inline constexpr std::array slab_widths{2 * H, 3 * H};
constexpr int slab_width(int reach) { return slab_widths[reach <= H / 2 ? 0 : 1]; }
constexpr int slab_margin(int width) { return (width - H) / 2; }
constexpr int slab_row(int numbers, int width) { return numbers * width; }
constexpr int slab_size(int numbers, int reach) { return (H + 2 * reach) * slab_row(numbers, slab_width(reach)); }

/// Pairs of cells by the distance d of the cells and D of their parents, in cell widths of their level.
enum class pairs {
  far,   ///< d² > R² but D² <= R²: those of multipoles
  near,  ///< D² <= R², except a cell with itself: those of two leaf cells
};

/// Where the pairs' parents are.
enum class place {
  inner,  ///< D² <= R² as above
  root,   ///< the coarsest block: its cells have no parents, all pairs interact
};

/// Which source planes an operator acts upon: z + c and z - c together, or one of them.
enum class fold { both, above, below };

/// An offset: place of the source relative to the target in a slab, and of its coefficients.
struct offset {
  std::int32_t source, coefficient;
};

/// A source of all classes of targets; its coefficients are zero for a target that is the source itself.
struct joint_offset {
  std::int32_t source;
  std::array<std::int32_t, classes> coefficient;  ///< by class of targets
};

/// Offsets between sources and targets, and for each tile of targets which of the nine neighbours in the plane the
/// sources lie in: bits 3 y + x.
template <class Offset>
struct list_of {
  std::vector<Offset> offsets;
  std::array<std::vector<std::uint16_t>, tiles> touch;  ///< [tile][offset]
  /// Neighbours at x = 0 that a tile's offsets touch. Each touches one of them at least, for it reaches less than H
  /// far.
  std::array<int, tiles> column{};
};
using offset_list = list_of<offset>;

/// All offsets with |dz| = c.
struct stencil_plane {
  int c;
  fold folded;
  int rows_reach;  ///< rows of parents beyond the block's edge that the sources lie in
  std::vector<std::array<offset_list, classes>> lists;  ///< [group of source classes][target class]
  list_of<joint_offset> joint;  ///< for pairs::near: the same offsets for all target classes together
};

class stencil {
 public:
  /// Offsets of expansions of order p. `numbers` of each source cell are stored side by side in a slab.
  /// more_at_faces: how much more, as a share, cells that share a face attract each other than their points would.
  stencil(int p, int near_radius_squared, pairs which, place where, int numbers, double more_at_faces = 0);

  /// Rows of parents beyond the block's edge that sources may lie in.
  int reach() const { return reach_; }
  /// Cells of a row of the slabs that the sources are read from.
  int width() const { return slab_width(reach_); }
  /// Classes of sources whose slabs are read together: all four for point masses, one for multipoles, so that what
  /// is read together fits into the first cache.
  int grouped_classes() const { return numbers_ == 1 ? classes : 1; }
  /// Planes of offsets for targets of even or odd z.
  const std::vector<stencil_plane>& planes(int parity) const { return planes_[index(parity)]; }
  const double* coefficients() const { return coefficients_.data(); }
  /// Number of offsets of a target of z parity 0 and class 0, each folded pair counted once: for counting work.
  int operators_per_cell() const;
  std::size_t bytes() const;

 private:
  void add_plane(int parity, int c, fold folded);
  static list_of<joint_offset> joined(const std::array<offset_list, classes>& lists);
  bool parents_meet(int x, int y, int z) const;

  int p_, near2_, reach_, numbers_;
  double more_at_faces_;
  pairs which_;
  place where_;
  std::array<std::vector<stencil_plane>, 2> planes_;
  std::vector<std::int32_t> known_;  // place of an offset's coefficients, or -1
  exec::array<double> coefficients_;
};

}  // namespace rednova::gravity
