// Interaction lists: the neighbours of every node of a tree, including ghost blocks.
//
// A leaf next to a finer node interacts on that node's level through ghost children: in the octants that touch the
// finer node, each of its cells has eight children with an eighth of its mass. The ghost children of an octant are a
// ghost block.
#pragma once

#include <array>
#include <vector>

#include "core/index.hpp"
#include "mesh/tree.hpp"

namespace rednova::gravity {

using core::index;

/// The ghost children of a leaf's octant, a block of the next finer level.
struct ghost_block {
  int leaf;
  int octant;
  std::array<int, mesh::sides> neighbour;  ///< leaves of the ghost block's level, or nobody
};

/// No neighbour with which a block interacts on its level.
inline constexpr int nobody = -1;

/// The lists of a tree, which are made anew when the mesh changes.
class interaction_lists {
 public:
  explicit interaction_lists(const mesh::tree& tree);

  /// The neighbour of a node at a side: a node (in the middle the node itself), a ghost block (see is_ghost) or nobody.
  int neighbour(int node, int side) const { return neighbours_[index(node)][index(side)]; }
  static bool is_ghost(int neighbour) { return neighbour < nobody; }
  /// Number of the ghost block for which is_ghost() holds.
  static int ghost_number(int neighbour) { return -2 - neighbour; }

  int ghost_blocks() const { return static_cast<int>(ghosts_.size()); }
  const ghost_block& ghost_at(int v) const { return ghosts_[index(v)]; }
  /// First and last+1 ghost block of a leaf.
  std::array<int, 2> ghosts_of(int leaf) const { return {first_[index(leaf)], first_[index(leaf) + 1]}; }
  std::size_t bytes() const;

 private:
  std::vector<std::array<int, mesh::sides>> neighbours_;
  std::vector<ghost_block> ghosts_;  // by leaf, then octant
  std::vector<int> first_;
};

}  // namespace rednova::gravity
