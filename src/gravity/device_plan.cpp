#include "gravity/device_plan.hpp"

#include <algorithm>
#include <utility>

#include "gravity/cell_order.hpp"

namespace rednova::gravity {

device_plan::device_plan(const mesh::tree& tree, const interaction_lists& lists, const local_partition& partition)
    : places{.leaf = std::vector<int>(partition.places.leaf.size(), -1),
             .refined = std::vector<int>(partition.places.refined.size(), -1),
             .ghost = std::vector<int>(partition.places.ghost.size(), -1)},
      tree_(&tree),
      lists_(&lists),
      first_leaf_(partition.own->leaves()[0]) {
  sort_leaves(partition);
  sort_refined(partition);
  sort_ghosts(partition);
  tables = block_tables(tree, lists, *partition.own, places);
}

void device_plan::sort_leaves(const local_partition& partition) {
  const auto beside = [&](int i) {
    for (int s = 0; s < mesh::sides; ++s) {
      if (lists_->neighbour(first_leaf_ + i, s) >= tree_->leaves()) return true;
    }
    return false;
  };
  for (int i = 0; i < partition.own->leaf_count(); ++i) leaf_at.push_back(i);
  beside_refined = static_cast<int>(std::ranges::count_if(leaf_at, beside));
  std::ranges::sort(leaf_at, {}, [&](int i) { return std::pair(!beside(i), i); });
  for (int i = 0; i < leaves(); ++i) places.leaf[index(leaf(i))] = places.leaves++;
  for (int n = 0; n < tree_->leaves(); ++n) {
    if (partition.places.leaf[index(n)] >= 0 && !partition.own->owns(n)) places.leaf[index(n)] = places.leaves++;
  }
}

void device_plan::sort_refined(const local_partition& partition) {
  const auto take = [&](int n) { places.refined[index(n - tree_->leaves())] = places.refined_nodes++; };
  const auto take_expanded = [&](int n) {
    take(n);
    node_at.push_back(n);
  };
  for (int level = 0; level <= tree_->max_level(); ++level) {
    first_of_level.push_back(places.refined_nodes);
    const auto [first, last] = partition.own->refined(level);
    for (int n = first; n < last; ++n) take_expanded(n);
  }
  for (int level = 0; level <= tree_->max_level(); ++level) {
    first_of_others.push_back(places.refined_nodes);
    for (const int n : partition.parents[index(level)]) {
      if (!partition.own->owns(n)) take_expanded(n);
    }
  }
  for (int n = tree_->leaves(); n < tree_->size(); ++n) {
    if (partition.places.refined[index(n - tree_->leaves())] >= 0 && place(n) < 0) take(n);
  }
}

void device_plan::sort_ghosts(const local_partition& partition) {
  for (int v = 0; v < lists_->ghost_blocks(); ++v) {
    if (!partition.own->owns(lists_->ghost_at(v).leaf)) continue;
    places.ghost[index(v)] = places.ghosts++;
    own_ghosts_.push_back(v);
  }
  ghosts = places.ghosts;
  for (int v = 0; v < lists_->ghost_blocks(); ++v) {
    int& place = places.ghost[index(v)];
    if (partition.places.ghost[index(v)] >= 0 && place < 0) place = places.ghosts++;
  }
}

source_block device_plan::points(int neighbour, const device_sources& at) const {
  if (interaction_lists::is_ghost(neighbour)) {
    return ghost_source(at.ghost_masses +
                        index(places.ghost[index(interaction_lists::ghost_number(neighbour))]) * octant_cells);
  }
  if (neighbour == nobody || neighbour >= tree_->leaves()) return {};
  return real_block(block_array(at.masses, 1)[place(neighbour)], 1);
}

source_block device_plan::multipoles(int neighbour, const device_sources& at) const {
  if (neighbour < tree_->leaves()) return {};
  return real_block(block_array(at.moments, at.numbers)[place(neighbour)], at.numbers);
}

std::vector<source_block> device_plan::around_refined(const device_sources& at) const {
  std::vector<source_block> all;
  for (int i = 0; i < refined_blocks(); ++i) {
    for (int s = 0; s < mesh::sides; ++s) {
      const int n = lists_->neighbour(node_at[index(i)], s);
      all.push_back(n >= tree_->leaves() ? multipoles(n, at) : points(n, at));
    }
  }
  return all;
}

std::vector<source_block> device_plan::points_around_leaves(const device_sources& at) const {
  std::vector<source_block> all;
  for (int i = 0; i < leaves(); ++i) {
    for (int s = 0; s < mesh::sides; ++s) all.push_back(points(lists_->neighbour(leaf(i), s), at));
  }
  return all;
}

std::vector<source_block> device_plan::points_around_ghosts(const device_sources& at) const {
  std::vector<source_block> all;
  for (const int v : own_ghosts_) {
    for (const int n : lists_->ghost_at(v).neighbour) all.push_back(points(n, at));
  }
  return all;
}

std::vector<source_block> device_plan::multipoles_around_leaves(const device_sources& at) const {
  std::vector<source_block> all;
  for (int i = 0; i < beside_refined; ++i) {
    for (int s = 0; s < mesh::sides; ++s) all.push_back(multipoles(lists_->neighbour(leaf(i), s), at));
  }
  return all;
}

}  // namespace rednova::gravity
