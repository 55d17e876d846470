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

resident_plan::resident_plan(const mesh::tree& tree, const plan& who, const sharing& shared)
    : tree_(&tree),
      who_(&who),
      first_leaf_(shared.own->leaves()[0]),
      place_(index(tree.size()), -1),
      virtual_place_(index(who.virtual_blocks()), -1) {
  sort_leaves(shared);
  sort_refined(shared);
  sort_virtuals(shared);
  link_blocks(*shared.own);
}

void resident_plan::sort_leaves(const sharing& shared) {
  const auto beside = [&](int i) {
    for (int s = 0; s < mesh::sides; ++s) {
      if (who_->neighbour(first_leaf_ + i, s) >= tree_->leaves()) return true;
    }
    return false;
  };
  for (int i = 0; i < shared.own->leaf_count(); ++i) leaf_at.push_back(i);
  beside_refined = static_cast<int>(std::ranges::count_if(leaf_at, beside));
  std::ranges::sort(leaf_at, {}, [&](int i) { return std::pair(!beside(i), i); });
  for (int i = 0; i < leaves(); ++i) place_[index(leaf(i))] = stored_leaves++;
  for (int n = 0; n < tree_->leaves(); ++n) {
    if (shared.leaf[index(n)] >= 0 && !shared.own->owns(n)) place_[index(n)] = stored_leaves++;
  }
}

void resident_plan::sort_refined(const sharing& shared) {
  const auto take = [&](int n) {
    place_[index(n)] = stored_refined_blocks++;
    node_at.push_back(n);
  };
  for (int level = 0; level <= tree_->max_level(); ++level) {
    first_of_level.push_back(stored_refined_blocks);
    const auto [first, last] = shared.own->refined(level);
    for (int n = first; n < last; ++n) take(n);
  }
  for (int level = 0; level <= tree_->max_level(); ++level) {
    first_of_others.push_back(stored_refined_blocks);
    for (const int n : shared.parents[index(level)]) {
      if (!shared.own->owns(n)) take(n);
    }
  }
  for (int n = tree_->leaves(); n < tree_->size(); ++n) {
    if (shared.refined[index(n - tree_->leaves())] >= 0 && place(n) < 0) place_[index(n)] = stored_refined_blocks++;
  }
}

void resident_plan::sort_virtuals(const sharing& shared) {
  const auto take = [&](int v) {
    const virtual_block& block = who_->virtual_at(v);
    virtual_place_[index(v)] = static_cast<int>(virtuals.size());
    virtuals.push_back({place(block.leaf), block.octant});
  };
  for (int v = 0; v < who_->virtual_blocks(); ++v) {
    if (!shared.own->owns(who_->virtual_at(v).leaf)) continue;
    take(v);
    number_of_virtual_.push_back(v);
  }
  virtual_blocks = static_cast<int>(virtuals.size());
  for (int v = 0; v < who_->virtual_blocks(); ++v) {
    if (shared.virtual_block[index(v)] >= 0 && virtual_place_[index(v)] < 0) take(v);
  }
}

child_of resident_plan::parent_of(int node) const {
  const int parent = (*tree_)[node].parent;
  if (parent == mesh::no_block) return {-1, 0};
  return {place(parent), (*tree_)[node].id.octant()};
}

void resident_plan::link_blocks(const mesh::share& own) {
  const mesh::tree& tree = *tree_;
  for (int i = 0; i < leaves(); ++i) {
    const double h = tree.cell_width(leaf(i));
    cell_width.push_back(h);
    ends.push_back({leaf_at[index(i)], parent_of(leaf(i)), h, {-1, -1, -1, -1, -1, -1, -1, -1}});
  }
  for (int v = 0; v < virtual_blocks; ++v) {
    const octant_of& block = virtuals[index(v)];
    ends[index(block.leaf)].virtual_block[block.octant] = v;
  }
  for (int i = 0; i < refined_blocks(); ++i) parents.push_back(parent_of(node_at[index(i)]));
  for (const int n : node_at) {
    for (const int c : tree[n].child) children.push_back({own.owns(c) ? place(c) : -1, c >= tree.leaves()});
  }
}

source_block resident_plan::points(int neighbour, const resident_sources& at) const {
  if (plan::is_virtual(neighbour)) {
    return virtual_source(at.shares + index(virtual_place_[index(plan::virtual_number(neighbour))]) * octant_cells);
  }
  if (neighbour == nobody || neighbour >= tree_->leaves()) return {};
  return real_block(block_at(at.masses, place(neighbour), 1), 1);
}

source_block resident_plan::multipoles(int neighbour, const resident_sources& at) const {
  if (neighbour < tree_->leaves()) return {};
  return real_block(block_at(at.moments, place(neighbour), at.numbers), at.numbers);
}

std::vector<source_block> resident_plan::around_refined(const resident_sources& at) const {
  std::vector<source_block> all;
  for (int i = 0; i < refined_blocks(); ++i) {
    for (int s = 0; s < mesh::sides; ++s) {
      const int n = who_->neighbour(node_at[index(i)], s);
      all.push_back(n >= tree_->leaves() ? multipoles(n, at) : points(n, at));
    }
  }
  return all;
}

std::vector<source_block> resident_plan::points_around_leaves(const resident_sources& at) const {
  std::vector<source_block> all;
  for (int i = 0; i < leaves(); ++i) {
    for (int s = 0; s < mesh::sides; ++s) all.push_back(points(who_->neighbour(leaf(i), s), at));
  }
  return all;
}

std::vector<source_block> resident_plan::points_around_virtuals(const resident_sources& at) const {
  std::vector<source_block> all;
  for (const int v : number_of_virtual_) {
    for (const int n : who_->virtual_at(v).neighbour) all.push_back(points(n, at));
  }
  return all;
}

std::vector<source_block> resident_plan::multipoles_around_leaves(const resident_sources& at) const {
  std::vector<source_block> all;
  for (int i = 0; i < beside_refined; ++i) {
    for (int s = 0; s < mesh::sides; ++s) all.push_back(multipoles(who_->neighbour(leaf(i), s), at));
  }
  return all;
}

}  // namespace rednova::gravity
