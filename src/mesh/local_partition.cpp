#include "mesh/local_partition.hpp"

#include <algorithm>
#include <numeric>

#include "core/check.hpp"

namespace rednova::mesh {

local_partition::local_partition(const tree& t)
    : leaves_{0, t.leaves()}, all_refined_(static_cast<std::size_t>(t.size() - t.leaves())) {
  for (int level = 0; level <= t.max_level(); ++level) refined_.push_back(t.refined(level));
  std::iota(all_refined_.begin(), all_refined_.end(), t.leaves());
  for (const int root : roots(t)) pieces_.push_back({root, 0});
  most_pieces_ = static_cast<int>(pieces_.size());
}

local_partition::local_partition(const tree& t, const partition& p, int rank)
    : rank_(rank), leaves_(p.leaves(t, rank)) {
  owner_ = p.owners(t);
  for (int level = 0; level <= t.max_level(); ++level) refined_.push_back(p.refined(t, level, rank));
  for (int node = t.leaves(); node < t.size(); ++node) {
    if (owns(node)) all_refined_.push_back(node);
  }
  find_pieces(t);
}

void local_partition::find_pieces(const tree& t) {
  // The owner of all leaves of a node, or -1; children have smaller numbers or are leaves.
  std::vector<int> sole(owner_);
  for (int node = t.leaves(); node < t.size(); ++node) {
    int& mine = sole[static_cast<std::size_t>(node)];
    mine = sole[static_cast<std::size_t>(t[node].child[0])];
    for (const int child : t[node].child) {
      if (sole[static_cast<std::size_t>(child)] != mine) mine = -1;
    }
  }
  std::vector<int> open = roots(t), count;
  std::ranges::reverse(open);
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    const int owner = sole[static_cast<std::size_t>(node)];
    if (owner < 0) {
      open.insert(open.end(), t[node].child.rbegin(), t[node].child.rend());
      continue;
    }
    pieces_.push_back({node, owner});
    count.resize(std::max(count.size(), static_cast<std::size_t>(owner) + 1));
    most_pieces_ = std::max(most_pieces_, ++count[static_cast<std::size_t>(owner)]);
  }
}

std::vector<std::vector<int>> parents_of(const tree& t, const local_partition& s) {
  std::vector<std::vector<int>> parents(static_cast<std::size_t>(t.max_level()) + 1);
  std::vector<char> seen(static_cast<std::size_t>(t.size()), 0);
  const auto child = [&](int node) {
    const int parent = t[node].parent;
    if (parent == no_block || seen[static_cast<std::size_t>(parent)] != 0) return;
    seen[static_cast<std::size_t>(parent)] = 1;
    parents[static_cast<std::size_t>(t[parent].level)].push_back(parent);
  };
  for (int leaf = s.leaves()[0]; leaf < s.leaves()[1]; ++leaf) child(leaf);
  for (const int node : s.refined()) child(node);
  return parents;
}

std::vector<int> roots(const tree& t) {
  std::vector<int> found;
  for (int leaf = 0; leaf < t.leaves(); ++leaf) {
    if (t[leaf].level == 0) found.push_back(leaf);
  }
  for (int node = t.refined(0)[0]; node < t.refined(0)[1]; ++node) found.push_back(node);
  std::ranges::sort(found, {}, [&](int n) { return t[n].id.curve(); });
  return found;
}

slots slots::all(int nodes) {
  slots s;
  s.count_ = nodes;
  return s;
}

slots slots::of_leaves(const local_partition& s) {
  slots result;
  result.first_ = s.leaves()[0];
  result.count_ = s.leaf_count();
  return result;
}

slots slots::of(const tree& t, const local_partition& s, std::span<const int> others) {
  if (s.alone()) return all(t.size());
  slots result;
  std::vector<int> map(static_cast<std::size_t>(t.size()), -1);
  for (int leaf = s.leaves()[0]; leaf < s.leaves()[1]; ++leaf) map[static_cast<std::size_t>(leaf)] = result.count_++;
  for (const int node : others) {
    int& place = map[static_cast<std::size_t>(node)];
    if (place < 0) place = result.count_++;
  }
  result.map_ = std::make_shared<const std::vector<int>>(std::move(map));
  return result;
}

}  // namespace rednova::mesh
