// Which of a step's substeps blocks take: all, or longer ones where light has the same speed with these.
#pragma once

#include <cstddef>
#include <vector>

#include "exec/for_each.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::radiation {

/// The longest substep, in units of the step over `substeps`, of a block that would do with so many: a power of two
/// that divides `substeps`.
int longest_substep(int substeps, double needed);

/// The substeps of all blocks for a step, and who has to give the fluxes of faces between blocks that differ.
///
/// Substeps start and end together: one of length n ends when n have passed of those of length 1. Blocks with shorter
/// ones go first. The fluxes that they have through a face are added up for the slower block behind it, which takes
/// their mean when its own substep is due. A leaf is never slower than a coarser one beside it, so that the fluxes of a
/// finer face are always there.
class local_substeps {
 public:
  /// The tree outlives this object. All blocks take all substeps until set() is called.
  local_substeps(const mesh::tree& t, const mesh::local_partition& own);

  /// longest: of own leaves, from longest_substep(). All ranks call it.
  void set(exec::context& context, const std::vector<int>& longest);

  /// Of any leaf.
  int length(int leaf) const { return length_[static_cast<std::size_t>(leaf)]; }
  /// The lengths that there are on any rank, ascending.
  const std::vector<int>& lengths() const { return lengths_; }
  /// Calls substep(length) for all substeps of a step in the order in which they end, shorter ones first, and
  /// between(n) before those that follow the n-th of `substeps`.
  template <class Between, class Substep>
  void for_all(int substeps, const Between& between, const Substep& substep) const {
    const int shortest = lengths_.front();
    for (int begun = 0; begun < substeps; begun += shortest) {
      if (begun > 0) between(begun);
      for (const int length : lengths_)
        if ((begun + shortest) % length == 0) substep(length);
    }
  }

  /// Own leaves that advance by substeps of this length, or take fluxes of leaves that do.
  const std::vector<int>& moved(int length) const;
  /// Where the fluxes through a face of an own leaf are added up; -1 where no faster leaf is behind.
  int sum(int leaf, int face) const {
    return sum_[static_cast<std::size_t>(leaf - own_[0]) * mesh::faces + static_cast<std::size_t>(face)];
  }
  int sums() const { return sums_; }
  /// All of them: [leaf], and [own leaf][face].
  const std::vector<int>& all_lengths() const { return length_; }
  const std::vector<int>& all_sums() const { return sum_; }
  /// A faster leaf of the same level behind a face of an own leaf; mesh::no_block where there is none.
  int faster_beside(int leaf, int face) const;

 private:
  void keep_fine_ones_fast();
  void find_faces();

  const mesh::tree& tree_;
  std::array<int, 2> own_;
  std::vector<int> length_;  // [leaf]
  std::vector<int> lengths_{1};
  std::vector<std::vector<int>> moved_;  // [place in lengths_]
  std::vector<int> sum_;                 // [own leaf][face]
  int sums_ = 0;
};

}  // namespace rednova::radiation
