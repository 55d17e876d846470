// Squares of N x N cells that fill a plane: of the blocks that it cuts, or of columns of blocks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "exchange/face_plan.hpp"
#include "mesh/tree.hpp"

namespace rednova::output {

inline constexpr int tile_cells = mesh::N * mesh::N;

/// Directions within a plane across an axis, in the order of x, y, z.
constexpr std::array<int, 2> directions_across(int axis) {
  return {exchange::transverse_a(axis), exchange::transverse_b(axis)};
}

struct tile {
  int level;
  std::array<int, 2> place;  ///< in tiles of this level
};

/// The leaves that the plane `axis` = at cuts, ascending.
std::vector<int> leaves_cut(const mesh::tree& t, int axis, double at);

/// The layer of a leaf's cells that the plane lies in.
int layer_cut(const mesh::tree& t, int leaf, int axis, double at);

/// The plane across an axis in tiles as fine as the finest leaf of each column.
class column_tiles {
 public:
  column_tiles(const mesh::tree& t, int axis);

  const std::vector<tile>& tiles() const { return tiles_; }
  /// Adds one number for each column of a leaf's cells, [b][a], to the cells of the tiles that it lies over,
  /// [tile][b][a].
  void add(const mesh::node& leaf, const double* columns, std::vector<double>& sums) const;

 private:
  using key = std::array<int, 3>;  // level, place
  void add_below(const key& at, const key& leaf, const double* columns, std::vector<double>& sums) const;

  int axis_;
  std::vector<tile> tiles_;
  std::map<key, int> numbers_;
};

}  // namespace rednova::output
