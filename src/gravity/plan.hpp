// Who interacts with whom on a tree: the neighbours of every node, virtual ones included.
//
// A leaf next to a finer node takes part on that node's level through virtual children: eight cells of an eighth
// of its mass for each of its own, in the octants that touch the finer node.
#pragma once

#include <array>
#include <vector>

#include "gravity/index.hpp"
#include "mesh/tree.hpp"

namespace rednova::gravity {

/// An octant of a leaf, seen as a block of the next level.
struct virtual_block {
  int leaf;
  int octant;
  std::array<int, mesh::sides> neighbour;  ///< real leaves of the virtual block's level, or nobody
};

/// The place of a neighbour is empty or not its business.
inline constexpr int nobody = -1;

class plan {
 public:
  explicit plan(const mesh::tree& tree);

  /// The neighbour of a node at a side: a node, itself in the middle, a virtual block (see is_virtual) or nobody.
  int neighbour(int node, int side) const { return neighbours_[index(node)][index(side)]; }
  static bool is_virtual(int neighbour) { return neighbour < nobody; }
  /// Number of the virtual block that is_virtual().
  static int virtual_number(int neighbour) { return -2 - neighbour; }

  int virtual_blocks() const { return static_cast<int>(virtual_.size()); }
  const virtual_block& virtual_at(int v) const { return virtual_[index(v)]; }
  /// First and last+1 virtual block of a leaf.
  std::array<int, 2> virtual_of(int leaf) const { return {first_[index(leaf)], first_[index(leaf) + 1]}; }
  std::size_t bytes() const;

 private:
  std::vector<std::array<int, mesh::sides>> neighbours_;
  std::vector<virtual_block> virtual_;  // by leaf, then octant
  std::vector<int> first_;
};

}  // namespace rednova::gravity
