// The octree: which blocks there are, who is whose parent and neighbour, and where they lie.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/vec3.hpp"
#include "exec/macros.hpp"
#include "mesh/block.hpp"
#include "mesh/block_id.hpp"

namespace rednova::mesh {

/// x / 2^times, times < 1023: exact, and without a division.
REDNOVA_FN double halved(double x, int times) {
  return x * std::bit_cast<double>((std::uint64_t{1023} - static_cast<std::uint64_t>(times)) << 52);
}

/// Width of a cell of a level.
REDNOVA_FN double cell_width_of(double base_width, int level) {
  static_assert(std::has_single_bit(static_cast<unsigned>(N)));
  return halved(base_width, level + std::countr_zero(static_cast<unsigned>(N)));
}
/// Lower corner of a block: its level, and its position in units of blocks of that level.
REDNOVA_FN core::vec3d corner_of(const core::vec3d& lower, double base_width, int level, const core::vec3i& place) {
  const double width = halved(base_width, level);
  return {lower.x + place.x * width, lower.y + place.y * width, lower.z + place.z * width};
}
/// Centre of a cell of a block with this corner.
REDNOVA_FN core::vec3d centre_of(const core::vec3d& corner, double h, int i, int j, int k) {
  return {corner.x + (i + 0.5) * h, corner.y + (j + 0.5) * h, corner.z + (k + 0.5) * h};
}

/// The box that the mesh fills: a lattice of base blocks (level 0).
struct domain {
  core::vec3d lower{};             ///< lower corner
  double base_width = 1;           ///< edge of a base block
  core::vec3i base{1, 1, 1};       ///< base blocks in each direction
  std::array<bool, 3> periodic{};  ///< by direction

  core::vec3d upper() const;
  double cell_width(int level) const { return cell_width_of(base_width, level); }
};

/// Values of tree::node::neighbour that are no block.
inline constexpr int no_block = -1;  ///< a coarser leaf covers it
inline constexpr int outside = -2;   ///< beyond the domain's boundary

struct node {
  block_id id;
  int level = 0;                     ///< mesh level: 0 for base blocks
  core::vec3i place{};               ///< in blocks of this level, 0 … base·2^level - 1
  int parent = no_block;             ///< no_block for base blocks
  std::array<int, 8> child;          ///< no_block eight times for leaves; octant x + 2y + 4z
  std::array<int, sides> neighbour;  ///< blocks of the same level by side(); itself at 13

  bool leaf() const { return child[0] == no_block; }
};

/// An octree balanced 2:1 over faces, edges and corners.
///
/// Nodes are numbered: leaves first, 0 … leaves()-1, along the Morton curve; then the refined nodes, finest
/// level first, along the curve within a level. So a sweep up runs over refined nodes in ascending order of
/// level_range from the finest, and what belongs to leaves is a prefix of every per-node array.
class tree {
 public:
  /// The tree with these leaves, in any order. Contract: they tile the domain and are balanced.
  tree(const domain& box, std::vector<block_id> leaves);
  /// Every base block refined to `level`.
  static tree uniform(const domain& box, int level);

  /// Leaves after refining (+1) and derefining (-1) by the flag of each leaf. Refinement wins, balance is
  /// restored by refining more, and eight siblings merge only if all are flagged so and balance allows.
  std::vector<block_id> adapted(const std::vector<int>& flags) const;

  const domain& box() const { return box_; }
  int leaves() const { return leaves_; }
  int size() const { return static_cast<int>(nodes_.size()); }
  const node& operator[](int n) const { return nodes_[static_cast<std::size_t>(n)]; }
  /// All of them, in their order.
  const std::vector<node>& nodes() const { return nodes_; }
  int max_level() const { return max_level_; }
  /// First and last+1 of the refined nodes of a level.
  std::array<int, 2> refined(int level) const { return refined_[static_cast<std::size_t>(level)]; }
  /// Number of leaves of each level.
  std::vector<int> leaves_by_level() const;
  /// The node with this id, or no_block.
  int find(block_id id) const;
  /// The leaf that holds a point of the domain.
  int leaf_at(core::vec3d x) const;

  double cell_width(int n) const { return box_.cell_width((*this)[n].level); }
  /// Lower corner of a node.
  core::vec3d corner(int n) const { return corner_of(box_.lower, box_.base_width, (*this)[n].level, (*this)[n].place); }
  /// Centre of a node's cell; indices may reach into the ghost layers.
  core::vec3d centre(int n, int i, int j, int k) const { return centre_of(corner(n), cell_width(n), i, j, k); }

 private:
  block_id id_of(int level, core::vec3i place) const;
  void connect();

  domain box_;
  int root_level_;  // id level of base blocks
  int leaves_ = 0;
  int max_level_ = 0;
  std::vector<node> nodes_;
  std::vector<std::array<int, 2>> refined_;
  std::vector<std::pair<std::uint64_t, int>> index_;  // id bits → node, sorted
};

}  // namespace rednova::mesh
