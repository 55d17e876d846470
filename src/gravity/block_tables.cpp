#include "gravity/block_tables.hpp"

namespace rednova::gravity {

block_tables::block_tables(const mesh::tree& tree, const interaction_lists& lists, const mesh::local_partition& own,
                           const block_places& places)
    : leaves(index(places.leaves)),
      ghosts(index(places.ghosts)),
      children(8 * index(places.refined_nodes)),
      parents(index(places.refined_nodes)) {
  const auto refined = [&](int node) { return places.refined[index(node - tree.leaves())]; };
  const auto parent_of = [&](int node) {
    const int parent = tree[node].parent;
    return parent == mesh::no_block ? child_of{-1, 0} : child_of{refined(parent), tree[node].id.octant()};
  };
  const int first_leaf = own.leaves()[0];
  for (int n = first_leaf; n < own.leaves()[1]; ++n) {
    leaf_block& me = leaves[index(places.leaf[index(n)])];
    me.number = n - first_leaf;
    me.parent = parent_of(n);
    me.h = tree.cell_width(n);
  }
  for (int v = 0; v < lists.ghost_blocks(); ++v) {
    const ghost_block& block = lists.ghost_at(v);
    const int place = places.ghost[index(v)], leaf = places.leaf[index(block.leaf)];
    if (place < 0) continue;
    ghosts[index(place)] = {leaf, block.octant};
  }
  for (int n = tree.leaves(); n < tree.size(); ++n) {
    if (refined(n) < 0) continue;
    parents[index(refined(n))] = parent_of(n);
    for (int o = 0; o < 8; ++o) {
      const int child = tree[n].child[index(o)];
      const bool is_refined = child >= tree.leaves();
      const int place = is_refined ? refined(child) : places.leaf[index(child)];
      children[8 * index(refined(n)) + index(o)] = {own.owns(child) ? place : -1, is_refined};
    }
  }
}

translation_tables::translation_tables(const std::array<matrix, 8>& of_octants, int numbers) {
  for (const matrix& of_octant : of_octants) {
    auto e = of_octant.begin();
    for (int row = 0; row < numbers; ++row) {
      starts.push_back(static_cast<int>(entries.size()));
      for (; e != of_octant.end() && e->row == row; ++e) entries.push_back(*e);
    }
  }
  starts.push_back(static_cast<int>(entries.size()));
}

}  // namespace rednova::gravity
