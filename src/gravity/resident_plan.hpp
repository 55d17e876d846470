// A rank's blocks in the order in which a device stores and works on them, as plain numbers.
#pragma once

#include <array>
#include <vector>

#include "gravity/plan.hpp"
#include "gravity/sharing.hpp"
#include "gravity/source_block.hpp"
#include "gravity/sweep_cells.hpp"

namespace rednova::gravity {

/// The matrices of eight octants as `translations` reads them.
struct translation_tables {
  translation_tables(const std::array<matrix, 8>& by, int numbers);  ///< numbers: rows
  std::vector<matrix_entry> entries;
  std::vector<int> starts;
};

/// Where a device holds what acts on other blocks, to point its sources there.
struct resident_sources {
  const double *masses, *shares, *moments;
  int numbers;  ///< of a multipole
};

/// Own blocks come first, those of other ranks that `sharing` stores after them. Own leaves beside refined blocks come
/// before all other leaves: those alone meet multipoles. Own refined blocks are sorted by level; after them come other
/// ranks' parents of own blocks, by level too.
struct resident_plan {
  resident_plan(const mesh::tree& tree, const plan& who, const sharing& shared);

  int leaves() const { return static_cast<int>(leaf_at.size()); }
  int refined_blocks() const { return first_of_level.back(); }
  /// Own ones and other ranks' parents of own blocks.
  int expanded_blocks() const { return static_cast<int>(node_at.size()); }
  int levels() const { return static_cast<int>(first_of_level.size()) - 1; }
  /// Where a node of the tree stands among leaves or refined blocks, -1 if it is not stored.
  int place(int node) const { return place_[index(node)]; }

  std::vector<int> leaf_at;            ///< [own leaf]: number along the curve, from the first own one
  int beside_refined = 0;              ///< own leaves that meet multipoles
  std::vector<double> cell_width;      ///< [own leaf]
  std::vector<leaf_end> ends;          ///< [own leaf]
  std::vector<octant_of> virtuals;     ///< [virtual block]
  int virtual_blocks = 0;              ///< those of own leaves
  std::vector<int> node_at;            ///< [expanded block]: node of the tree
  std::vector<int> first_of_level;     ///< [level]: its first own refined block; their number at the end
  std::vector<int> first_of_others;    ///< [level]: its first other parent; the number of expanded blocks at the end
  std::vector<either_block> children;  ///< [expanded block][octant]
  std::vector<child_of> parents;       ///< [own refined block]
  int stored_leaves = 0, stored_refined_blocks = 0;  ///< own ones, other parents and images

  /// The sources around own blocks, [block][mesh::sides]: around refined blocks, the point masses around leaves and
  /// around virtual blocks, and the multipoles around the leaves that have any.
  std::vector<source_block> around_refined(const resident_sources& at) const;
  std::vector<source_block> points_around_leaves(const resident_sources& at) const;
  std::vector<source_block> points_around_virtuals(const resident_sources& at) const;
  std::vector<source_block> multipoles_around_leaves(const resident_sources& at) const;

 private:
  void sort_leaves(const sharing& shared);
  void sort_refined(const sharing& shared);
  void sort_virtuals(const sharing& shared);
  void link_blocks(const mesh::share& own);
  int leaf(int i) const { return first_leaf_ + leaf_at[index(i)]; }
  child_of parent_of(int node) const;
  source_block points(int neighbour, const resident_sources& at) const;
  source_block multipoles(int neighbour, const resident_sources& at) const;

  const mesh::tree* tree_;
  const plan* who_;
  int first_leaf_;
  std::vector<int> place_;              // [node]
  std::vector<int> virtual_place_;      // [virtual block of the tree]
  std::vector<int> number_of_virtual_;  // [own virtual block]: in the tree
};

}  // namespace rednova::gravity
