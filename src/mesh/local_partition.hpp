// Which blocks of a tree this rank owns, and where it stores them.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "mesh/partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::mesh {

/// This rank's part of a tree that all ranks know.
class local_partition {
 public:
  /// All of it: one rank alone.
  explicit local_partition(const tree& t);
  local_partition(const tree& t, const partition& p, int rank);

  bool alone() const { return owner_.empty(); }
  int rank() const { return rank_; }
  int owner(int node) const { return owner_.empty() ? rank_ : owner_[static_cast<std::size_t>(node)]; }
  bool owns(int node) const { return owner(node) == rank_; }
  /// First and last+1 of its leaves, and how many.
  const std::array<int, 2>& leaves() const { return leaves_; }
  int leaf_count() const { return leaves_[1] - leaves_[0]; }
  /// First and last+1 of its refined nodes of a level.
  const std::array<int, 2>& refined(int level) const { return refined_[static_cast<std::size_t>(level)]; }
  /// All its refined nodes, finest level first.
  const std::vector<int>& refined() const { return all_refined_; }

  /// Nodes whose leaves all belong to one rank while their parent's do not, along the curve: all leaves lie in one of
  /// them. They are few: each cut of the curve splits one node of a level.
  struct piece {
    int node, owner;
  };
  const std::vector<piece>& pieces() const { return pieces_; }
  /// The most pieces that one rank has.
  int most_pieces() const { return most_pieces_; }

 private:
  void find_pieces(const tree& t);

  int rank_ = 0;
  std::vector<int> owner_;  // [node]; empty: all belong to this rank
  std::array<int, 2> leaves_{};
  std::vector<std::array<int, 2>> refined_;
  std::vector<int> all_refined_;
  std::vector<piece> pieces_;
  int most_pieces_ = 0;
};

/// The nodes that have children of this rank's, by level [max_level() + 1].
std::vector<std::vector<int>> parents_of(const tree& t, const local_partition& s);

/// The nodes without a parent, along the curve.
std::vector<int> roots(const tree& t);

/// Where the blocks of some nodes are stored: the rank's own leaves first, along the curve, then others.
class slots {
 public:
  slots() = default;
  /// The slot of each node is its number: one rank alone.
  static slots all(int nodes);
  /// Own leaves only.
  static slots of_leaves(const local_partition& s);
  /// Own leaves, the nodes `others` (own refined nodes, halo copies of other ranks' blocks), in this order. A rank
  /// alone stores all nodes of its tree.
  static slots of(const tree& t, const local_partition& s, std::span<const int> others);

  int count() const { return count_; }
  bool holds(int node) const { return map_ ? (*map_)[static_cast<std::size_t>(node)] >= 0 : true; }
  int operator[](int node) const { return (map_ ? (*map_)[static_cast<std::size_t>(node)] : node) - first_; }
  /// The parts of operator[]: what each node has before first() is subtracted, null if it is the node's number.
  const int* map() const { return map_ ? map_->data() : nullptr; }
  int first() const { return first_; }

 private:
  int first_ = 0, count_ = 0;
  std::shared_ptr<const std::vector<int>> map_;  // node → slot, -1 if it is not stored
};

}  // namespace rednova::mesh
