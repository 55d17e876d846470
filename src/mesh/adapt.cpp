// Which leaves a tree has after it was adapted: refinement spreads by balance, merging gives way to it.
#include <algorithm>
#include <vector>

#include "core/check.hpp"
#include "mesh/tree.hpp"

namespace rednova::mesh {

namespace {

// Refining leaf n makes children that need all 26 neighbours of n to exist: coarser ones are refined too.
void refine_with_balance(const tree& t, int leaf, std::vector<bool>& refine) {
  std::vector<int> todo{leaf};
  while (!todo.empty()) {
    const int n = todo.back();
    todo.pop_back();
    if (refine[static_cast<std::size_t>(n)]) continue;
    refine[static_cast<std::size_t>(n)] = true;
    const node& me = t[n];
    for (int s = 0; s < sides; ++s) {
      if (me.neighbour[static_cast<std::size_t>(s)] != no_block) continue;
      // The coarser leaf there is a neighbour of the parent, on the side on which the place lies.
      const int d[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1};
      int up[3];
      for (int a = 0; a < 3; ++a) {
        const int bit = me.id.octant() >> a & 1;
        up[a] = d[a] == 0 ? 0 : (d[a] > 0) == (bit == 1) ? d[a] : 0;
      }
      const int coarse = t[me.parent].neighbour[static_cast<std::size_t>(side(up[0], up[1], up[2]))];
      ENSURE(coarse >= 0 && coarse < t.leaves());
      todo.push_back(coarse);
    }
  }
}

// Whether the children of refined node p may merge: nothing two levels finer than p may touch it afterwards.
bool may_merge(const tree& t, int p, const std::vector<int>& flags, const std::vector<bool>& refine) {
  for (int c : t[p].child) {
    if (c >= t.leaves() || flags[static_cast<std::size_t>(c)] >= 0 || refine[static_cast<std::size_t>(c)]) return false;
  }
  for (int s = 0; s < sides; ++s) {
    const int q = t[p].neighbour[static_cast<std::size_t>(s)];
    if (q < t.leaves() || q == p) continue;  // outside, coarser or a leaf
    const int d[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1};
    for (int o = 0; o < 8; ++o) {
      bool touches = true;
      for (int a = 0; a < 3; ++a) touches = touches && (d[a] == 0 || (o >> a & 1) == (d[a] < 0 ? 1 : 0));
      if (!touches) continue;
      const int c = t[q].child[static_cast<std::size_t>(o)];
      if (c >= t.leaves() || refine[static_cast<std::size_t>(c)]) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<block_id> tree::adapted(const std::vector<int>& flags) const {
  EXPECT(static_cast<int>(flags.size()) == leaves_);
  std::vector<bool> refine(static_cast<std::size_t>(leaves_), false);
  for (int n = 0; n < leaves_; ++n) {
    if (flags[static_cast<std::size_t>(n)] > 0) refine_with_balance(*this, n, refine);
  }
  std::vector<bool> gone(static_cast<std::size_t>(leaves_), false);
  std::vector<block_id> result;
  for (int p = leaves_; p < size(); ++p) {
    if (!may_merge(*this, p, flags, refine)) continue;
    for (int c : (*this)[p].child) gone[static_cast<std::size_t>(c)] = true;
    result.push_back((*this)[p].id);
  }
  for (int n = 0; n < leaves_; ++n) {
    if (gone[static_cast<std::size_t>(n)]) continue;
    const block_id id = (*this)[n].id;
    if (refine[static_cast<std::size_t>(n)]) {
      for (int o = 0; o < 8; ++o) result.push_back(id.child(o));
    } else {
      result.push_back(id);
    }
  }
  return result;
}

}  // namespace rednova::mesh
