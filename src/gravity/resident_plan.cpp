#include "gravity/resident_plan.hpp"

#include <algorithm>
#include <utility>

namespace rednova::gravity {

translation_tables::translation_tables(const std::array<matrix, 8>& by, int numbers) {
  for (const matrix& of_octant : by) {
    auto e = of_octant.begin();
    for (int row = 0; row < numbers; ++row) {
      starts.push_back(static_cast<int>(entries.size()));
      for (; e != of_octant.end() && e->row == row; ++e) entries.push_back(*e);
    }
  }
  starts.push_back(static_cast<int>(entries.size()));
}

resident_plan::resident_plan(const mesh::tree& tree, const plan& who)
    : tree_(&tree), who_(&who), place_(index(tree.size())) {
  sort_blocks();
  link_blocks();
}

void resident_plan::sort_blocks() {
  const mesh::tree& tree = *tree_;
  const auto beside = [&](int leaf) {
    for (int s = 0; s < mesh::sides; ++s) {
      if (who_->neighbour(leaf, s) >= tree.leaves()) return true;
    }
    return false;
  };
  for (int n = 0; n < tree.leaves(); ++n) leaf_at.push_back(n);
  beside_refined = static_cast<int>(std::ranges::count_if(leaf_at, beside));
  std::ranges::sort(leaf_at, {}, [&](int n) { return std::pair(!beside(n), n); });
  for (int n = tree.leaves(); n < tree.size(); ++n) node_at.push_back(n);
  std::ranges::sort(node_at, {}, [&](int n) { return std::pair(tree[n].level, n); });
  for (std::size_t i = 0; i < leaf_at.size(); ++i) place_[index(leaf_at[i])] = static_cast<int>(i);
  for (std::size_t i = 0; i < node_at.size(); ++i) {
    place_[index(node_at[i])] = static_cast<int>(i);
    while (static_cast<int>(first_of_level.size()) <= tree[node_at[i]].level) {
      first_of_level.push_back(static_cast<int>(i));
    }
  }
  first_of_level.push_back(static_cast<int>(node_at.size()));
}

void resident_plan::link_blocks() {
  const mesh::tree& tree = *tree_;
  const auto parent_of = [&](int n) -> child_of {
    const int parent = tree[n].parent;
    if (parent == mesh::no_block) return {-1, 0};
    return {place_[index(parent)], tree[n].id.octant()};
  };
  for (const int n : leaf_at) {
    const double h = tree.cell_width(n);
    cell_width.push_back(h);
    ends.push_back({n, parent_of(n), h, {-1, -1, -1, -1, -1, -1, -1, -1}});
  }
  for (int v = 0; v < who_->virtual_blocks(); ++v) {
    const virtual_block& block = who_->virtual_at(v);
    const int leaf = place_[index(block.leaf)];
    virtuals.push_back({leaf, block.octant});
    ends[index(leaf)].virtual_block[block.octant] = v;
  }
  for (const int n : node_at) {
    parents.push_back(parent_of(n));
    for (const int c : tree[n].child) children.push_back({place_[index(c)], c >= tree.leaves()});
  }
}

source_block resident_plan::points(int neighbour, const resident_sources& at) const {
  if (plan::is_virtual(neighbour)) {
    return virtual_source(at.shares + index(plan::virtual_number(neighbour)) * octant_cells);
  }
  if (neighbour == nobody || neighbour >= tree_->leaves()) return {};
  return real_block(block_at(at.masses, place_[index(neighbour)], 1), 1);
}

source_block resident_plan::multipoles(int neighbour, const resident_sources& at) const {
  if (neighbour < tree_->leaves()) return {};
  return real_block(block_at(at.moments, place_[index(neighbour)], at.numbers), at.numbers);
}

std::vector<source_block> resident_plan::around_refined(const resident_sources& at) const {
  std::vector<source_block> all;
  for (const int node : node_at) {
    for (int s = 0; s < mesh::sides; ++s) {
      const int n = who_->neighbour(node, s);
      all.push_back(n >= tree_->leaves() ? multipoles(n, at) : points(n, at));
    }
  }
  return all;
}

std::vector<source_block> resident_plan::points_around_leaves(const resident_sources& at) const {
  std::vector<source_block> all;
  for (const int leaf : leaf_at) {
    for (int s = 0; s < mesh::sides; ++s) all.push_back(points(who_->neighbour(leaf, s), at));
  }
  return all;
}

std::vector<source_block> resident_plan::points_around_virtuals(const resident_sources& at) const {
  std::vector<source_block> all;
  for (int v = 0; v < who_->virtual_blocks(); ++v) {
    for (const int n : who_->virtual_at(v).neighbour) all.push_back(points(n, at));
  }
  return all;
}

std::vector<source_block> resident_plan::multipoles_around_leaves(const resident_sources& at) const {
  std::vector<source_block> all;
  for (int i = 0; i < beside_refined; ++i) {
    for (int s = 0; s < mesh::sides; ++s) all.push_back(multipoles(who_->neighbour(leaf_at[index(i)], s), at));
  }
  return all;
}

}  // namespace rednova::gravity
