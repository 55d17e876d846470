#include "gravity/interaction_lists.hpp"

#include "core/check.hpp"

namespace rednova::gravity {

namespace {

using core::vec3i;

vec3i step_to(int side) { return {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1}; }
int octant_in_parent(vec3i p) { return (p.x & 1) + 2 * (p.y & 1) + 4 * (p.z & 1); }
/// Side of the node at place `from` that holds the place p of the next finer level.
int side_of_parent(vec3i p, vec3i from) {
  return mesh::side((p.x >> 1) - from.x, (p.y >> 1) - from.y, (p.z >> 1) - from.z);
}

/// The ghost block of a leaf's octant, with the leaves around it.
ghost_block make_ghost(const mesh::tree& tree, int leaf, int octant) {
  ghost_block v{.leaf = leaf, .octant = octant, .neighbour = {}};
  v.neighbour.fill(nobody);
  const mesh::node& me = tree[leaf];
  const vec3i place{2 * me.place.x + (octant & 1), 2 * me.place.y + (octant >> 1 & 1), 2 * me.place.z + (octant >> 2)};
  for (int s = 0; s < mesh::sides; ++s) {
    const vec3i p = place + step_to(s);
    const int other = me.neighbour[index(side_of_parent(p, me.place))];
    if (other < 0 || tree[other].leaf()) continue;
    const int child = tree[other].child[index(octant_in_parent(p))];
    ENSURE(tree[child].leaf());  // a refined neighbour would break the 2:1 balance
    v.neighbour[index(s)] = child;
  }
  return v;
}

}  // namespace

interaction_lists::interaction_lists(const mesh::tree& tree) {
  // Ghost blocks first: their numbers by leaf and octant.
  std::vector<std::array<int, 8>> number(index(tree.leaves()));
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    first_.push_back(ghost_blocks());
    for (int octant = 0; octant < 8; ++octant) {
      const ghost_block v = make_ghost(tree, leaf, octant);
      bool needed = false;
      for (int n : v.neighbour) needed = needed || n != nobody;
      number[index(leaf)][index(octant)] = needed ? ghost_blocks() : nobody;
      if (needed) ghosts_.push_back(v);
    }
  }
  first_.push_back(ghost_blocks());

  neighbours_.resize(index(tree.size()));
  for (int n = 0; n < tree.size(); ++n) {
    const mesh::node& me = tree[n];
    auto& mine = neighbours_[index(n)];
    for (int s = 0; s < mesh::sides; ++s) {
      const int other = me.neighbour[index(s)];
      int& entry = mine[index(s)];
      entry = other >= 0 ? other : nobody;
      if (other != mesh::no_block) continue;
      ENSURE(me.leaf());  // a leaf one level coarser touches no refined node
      const vec3i p = me.place + step_to(s);
      const mesh::node& parent = tree[me.parent];
      const int coarse = parent.neighbour[index(side_of_parent(p, parent.place))];
      const int v = number[index(coarse)][index(octant_in_parent(p))];
      ENSURE(v != nobody);
      entry = -2 - v;
    }
  }
}

std::size_t interaction_lists::bytes() const {
  return neighbours_.size() * sizeof(neighbours_[0]) + ghosts_.size() * sizeof(ghost_block) +
         first_.size() * sizeof(int);
}

}  // namespace rednova::gravity
