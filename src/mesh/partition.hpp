// Which rank owns which blocks: the curve cut into as many pieces as there are ranks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mesh/block_id.hpp"
#include "mesh/tree.hpp"

namespace rednova::mesh {

/// A cut of the Morton curve into one piece for each rank; the same on all ranks.
///
/// A rank owns the leaves of its piece, and the refined nodes whose fifth child's first leaf lies in it. That is the
/// middle of the node's own piece of the curve, and for no two nodes the same leaf: were it the first of the
/// node's leaves, one leaf would carry its ancestors of all levels. Owners are found from ids alone, by bisection of
/// the positions where pieces begin. Those outlive the tree: after an adaptation the same cut says who owns the new
/// blocks. For that they must be where leaves of the tree begin (aligned()): a cut within a leaf would divide its
/// children among ranks that do not have the leaf.
class partition {
 public:
  /// All blocks to rank 0.
  explicit partition(int ranks = 1);
  /// The cut at these positions of the curve (splitters() of another rank): not descending, one for each rank.
  explicit partition(std::vector<std::uint64_t> splitters);

  int ranks() const { return static_cast<int>(splitters_.size()); }
  /// The position on the curve (block_id::curve()) at which each rank's piece begins; rank 0's is 0. A piece ends where
  /// the next begins, and may be empty.
  const std::vector<std::uint64_t>& splitters() const { return splitters_; }

  /// The same owners of this tree's nodes, with each piece beginning where a leaf does.
  partition aligned(const tree& t) const;

  /// The rank that owns a leaf.
  int owner(block_id leaf) const { return owner_at(leaf.curve()); }
  /// The rank that owns a node, a leaf or not.
  int owner(const node& n) const;
  /// The owner of each node of a tree: [size()].
  std::vector<int> owners(const tree& t) const;
  /// First and last+1 of a rank's leaves.
  std::array<int, 2> leaves(const tree& t, int rank) const { return piece(t, {0, t.leaves()}, rank); }
  /// First and last+1 of a rank's refined nodes of a level.
  std::array<int, 2> refined(const tree& t, int level, int rank) const { return piece(t, t.refined(level), rank); }

  friend bool operator==(const partition&, const partition&) = default;

 private:
  int owner_at(std::uint64_t place) const;
  std::array<int, 2> piece(const tree& t, std::array<int, 2> nodes, int rank) const;

  std::vector<std::uint64_t> splitters_;
};

/// The cut whose largest load is the smallest that pieces of the curve can have, found by bisection of that load
/// (Pinar & Aykanat 2004, J. Parallel Distrib. Comput. 64, 974). Within that bound
/// each rank takes an even share of what the ranks before it left. Every rank gets a leaf where there are enough;
/// otherwise the first ranks get one each.
///
/// costs: of each leaf [leaves()], not negative; in any unit, all zero means all equal.
partition balanced(const tree& t, int ranks, std::span<const double> costs);
/// The same for leaves that all cost the same.
partition balanced(const tree& t, int ranks);

/// Costs of leaves from those of all nodes [size()]: a refined node's cost goes to the leaf with which it changes its
/// owner. No leaf gets more than one.
std::vector<double> costs_of_leaves(const tree& t, std::span<const double> of_nodes);

/// Sum of the costs [leaves()] of each rank's leaves, added along the curve.
std::vector<double> loads(const partition& p, const tree& t, std::span<const double> costs);
/// The largest load over the mean; 1 is perfect.
double imbalance(const partition& p, const tree& t, std::span<const double> costs);
/// A better cut, if the best one would lower the largest load by more than this share of itself; nothing otherwise.
/// That the blocks are too coarse a grain to do better is no reason to move them.
std::optional<partition> rebalanced(const partition& now, const tree& t, std::span<const double> costs,
                                    double threshold);

/// Leaves first … last-1 that change their owner.
struct migration {
  int first, last;
  int from, to;
  friend bool operator==(const migration&, const migration&) = default;
};

/// All leaves that change their owner, in runs along the curve. A rank may gain or give several runs.
/// Contract: both have the same number of ranks.
std::vector<migration> migrations(const tree& t, const partition& before, const partition& after);

}  // namespace rednova::mesh
