// A tree's blocks in the order in which a device stores and works on them, as plain numbers.
#pragma once

#include <array>
#include <vector>

#include "gravity/plan.hpp"
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

/// Leaves beside refined blocks come before all others: those alone meet multipoles. Refined blocks are sorted by
/// level.
struct resident_plan {
  resident_plan(const mesh::tree& tree, const plan& who);

  int refined_blocks() const { return first_of_level.back(); }
  int virtual_blocks() const { return static_cast<int>(virtuals.size()); }
  int levels() const { return static_cast<int>(first_of_level.size()) - 1; }

  std::vector<int> leaf_at;            ///< [leaf]: number in the tree
  int beside_refined = 0;              ///< leaves that meet multipoles
  std::vector<double> cell_width;      ///< [leaf]
  std::vector<leaf_end> ends;          ///< [leaf]
  std::vector<octant_of> virtuals;     ///< [virtual block]
  std::vector<int> node_at;            ///< [refined block]: node of the tree
  std::vector<int> first_of_level;     ///< [level]: its first refined block; the number of all at the end
  std::vector<either_block> children;  ///< [refined block][octant]
  std::vector<child_of> parents;       ///< [refined block]

  /// The sources around blocks, [block][mesh::sides]: around refined blocks, the point masses around leaves and around
  /// virtual blocks, and the multipoles around the leaves that have any.
  std::vector<source_block> around_refined(const resident_sources& at) const;
  std::vector<source_block> points_around_leaves(const resident_sources& at) const;
  std::vector<source_block> points_around_virtuals(const resident_sources& at) const;
  std::vector<source_block> multipoles_around_leaves(const resident_sources& at) const;

 private:
  void sort_blocks();
  void link_blocks();
  source_block points(int neighbour, const resident_sources& at) const;
  source_block multipoles(int neighbour, const resident_sources& at) const;

  const mesh::tree* tree_;
  const plan* who_;
  std::vector<int> place_;  // [node]: among leaves or refined blocks
};

}  // namespace rednova::gravity
