// The order in which a device stores a rank's blocks and works on them, as plain numbers.
#pragma once

#include <vector>

#include "gravity/block_tables.hpp"
#include "gravity/interaction_lists.hpp"
#include "gravity/local_partition.hpp"
#include "gravity/source_block.hpp"

namespace rednova::gravity {

/// The device's arrays of masses and moments, to which the lists of sources point.
struct device_sources {
  const double *masses, *ghost_masses, *moments;
  int numbers;  ///< of a multipole
};

/// Own blocks come first, then those of other ranks that local_partition stores. Own leaves beside refined blocks come
/// before all other leaves: they alone interact with multipoles. Own refined blocks are sorted by level; other ranks'
/// parents of own blocks follow, also by level.
struct device_plan {
  device_plan(const mesh::tree& tree, const interaction_lists& lists, const local_partition& partition);

  int leaves() const { return static_cast<int>(leaf_at.size()); }
  int refined_blocks() const { return first_of_level.back(); }
  /// Own ones and other ranks' parents of own blocks.
  int expanded_blocks() const { return static_cast<int>(node_at.size()); }
  int levels() const { return static_cast<int>(first_of_level.size()) - 1; }
  /// Where a node of the tree stands among leaves or refined blocks, -1 if it is not stored.
  int place(int node) const {
    const int leaves = tree_->leaves();
    return node < leaves ? places.leaf[index(node)] : places.refined[index(node - leaves)];
  }

  std::vector<int> leaf_at;          ///< [own leaf]: number along the curve, from the first own one
  int beside_refined = 0;            ///< number of own leaves that interact with multipoles
  int ghosts = 0;                    ///< number of own leaves' ghost blocks
  std::vector<int> node_at;          ///< [expanded block]: node of the tree
  std::vector<int> first_of_level;   ///< [level]: its first own refined block; their number at the end
  std::vector<int> first_of_others;  ///< [level]: its first other parent; the number of expanded blocks at the end
  block_places places;               ///< of own blocks, other parents and halo copies
  block_tables tables;

  /// The sources around own blocks, [block][mesh::sides]: around refined blocks, the point masses around leaves and
  /// around ghost blocks, and the multipoles around the leaves that have any.
  std::vector<source_block> around_refined(const device_sources& at) const;
  std::vector<source_block> points_around_leaves(const device_sources& at) const;
  std::vector<source_block> points_around_ghosts(const device_sources& at) const;
  std::vector<source_block> multipoles_around_leaves(const device_sources& at) const;

 private:
  void sort_leaves(const local_partition& partition);
  void sort_refined(const local_partition& partition);
  void sort_ghosts(const local_partition& partition);
  int leaf(int i) const { return first_leaf_ + leaf_at[index(i)]; }
  source_block points(int neighbour, const device_sources& at) const;
  source_block multipoles(int neighbour, const device_sources& at) const;

  const mesh::tree* tree_;
  const interaction_lists* lists_;
  int first_leaf_;
  std::vector<int> own_ghosts_;  // [own ghost block]: its number in the tree
};

}  // namespace rednova::gravity
