#include "mesh/tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/check.hpp"

namespace rednova::mesh {

namespace {

int root_level_of(core::vec3i base) {
  const int widest = std::max({base.x, base.y, base.z});
  return std::bit_width(static_cast<unsigned>(widest - 1));
}

}  // namespace

core::vec3d domain::upper() const {
  return {lower.x + base.x * base_width, lower.y + base.y * base_width, lower.z + base.z * base_width};
}

tree::tree(const domain& box, std::vector<block_id> leaves) : box_(box), root_level_(root_level_of(box.base)) {
  EXPECT(!leaves.empty());
  std::ranges::sort(leaves, {}, &block_id::curve);
  leaves_ = static_cast<int>(leaves.size());
  for (block_id id : leaves) {
    nodes_.push_back({.id = id, .level = id.level() - root_level_, .place = id.place(), .child = {}, .neighbour = {}});
    max_level_ = std::max(max_level_, nodes_.back().level);
  }
  // The refined nodes of a level are the parents of all nodes one level finer.
  refined_.assign(static_cast<std::size_t>(max_level_) + 1, {leaves_, leaves_});
  std::vector<block_id> finer;
  for (int level = max_level_; level > 0; --level) {
    std::vector<block_id> here;
    for (block_id id : finer) here.push_back(id.parent());
    for (block_id id : leaves) {
      if (id.level() - root_level_ == level) here.push_back(id.parent());
    }
    std::ranges::sort(here, {}, &block_id::bits);
    here.erase(std::ranges::unique(here).begin(), here.end());
    const int first = size();
    for (block_id id : here) {
      nodes_.push_back({.id = id, .level = level - 1, .place = id.place(), .child = {}, .neighbour = {}});
    }
    refined_[static_cast<std::size_t>(level) - 1] = {first, size()};
    finer = std::move(here);
  }
  connect();
}

tree tree::uniform(const domain& box, int level) {
  std::vector<block_id> leaves;
  const int r = root_level_of(box.base);
  const core::vec3i n{box.base.x << level, box.base.y << level, box.base.z << level};
  for (int k = 0; k < n.z; ++k) {
    for (int j = 0; j < n.y; ++j) {
      for (int i = 0; i < n.x; ++i) leaves.push_back(block_id::at(r + level, {i, j, k}));
    }
  }
  return tree(box, std::move(leaves));
}

block_id tree::id_of(int level, core::vec3i place) const { return block_id::at(root_level_ + level, place); }

void tree::connect() {
  index_.clear();
  for (int n = 0; n < size(); ++n) index_.emplace_back((*this)[n].id.bits(), n);
  std::ranges::sort(index_);
  for (int n = 0; n < size(); ++n) {
    node& me = nodes_[static_cast<std::size_t>(n)];
    me.parent = me.level > 0 ? find(me.id.parent()) : no_block;
    for (int o = 0; o < 8; ++o) me.child[static_cast<std::size_t>(o)] = n < leaves_ ? no_block : find(me.id.child(o));
    if (n >= leaves_) ENSURE(std::ranges::find(me.child, no_block) == me.child.end());
    const core::vec3i extent{box_.base.x << me.level, box_.base.y << me.level, box_.base.z << me.level};
    for (int s = 0; s < sides; ++s) {
      core::vec3i p{me.place.x + s % 3 - 1, me.place.y + s / 3 % 3 - 1, me.place.z + s / 9 - 1};
      bool inside = true;
      for (int d = 0; d < 3; ++d) {
        if (box_.periodic[static_cast<std::size_t>(d)]) p[d] = (p[d] + extent[d]) % extent[d];
        inside = inside && p[d] >= 0 && p[d] < extent[d];
      }
      me.neighbour[static_cast<std::size_t>(s)] = inside ? find(id_of(me.level, p)) : outside;
    }
  }
}

int tree::find(block_id id) const {
  const auto it = std::ranges::lower_bound(index_, id.bits(), {}, &std::pair<std::uint64_t, int>::first);
  return it != index_.end() && it->first == id.bits() ? it->second : no_block;
}

std::vector<int> tree::leaves_by_level() const {
  std::vector<int> count(static_cast<std::size_t>(max_level_) + 1);
  for (int n = 0; n < leaves_; ++n) ++count[static_cast<std::size_t>((*this)[n].level)];
  return count;
}

int tree::leaf_at(core::vec3d x) const {
  core::vec3i p;
  for (int d = 0; d < 3; ++d) {
    const int i = static_cast<int>(std::floor((x[d] - box_.lower[d]) / box_.base_width));
    EXPECT(i >= 0 && i < box_.base[d]);
    p[d] = i;
  }
  int n = find(id_of(0, p));
  while (!(*this)[n].leaf()) {
    const core::vec3d middle = centre((*this)[n].child[0], N - 1, N - 1, N - 1);
    const double half = 0.5 * cell_width((*this)[n].child[0]);
    const int octant =
        (x.x >= middle.x + half ? 1 : 0) + (x.y >= middle.y + half ? 2 : 0) + (x.z >= middle.z + half ? 4 : 0);
    n = (*this)[n].child[static_cast<std::size_t>(octant)];
  }
  return n;
}

}  // namespace rednova::mesh
