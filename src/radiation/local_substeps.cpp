#include "radiation/local_substeps.hpp"

#include <algorithm>

#include "exchange/face_plan.hpp"
#include "exchange/gather.hpp"

namespace rednova::radiation {

namespace {

/// The block of a leaf's level behind one of its faces, or mesh::no_block, mesh::outside.
int behind(const mesh::tree& t, int leaf, int face) {
  return t[leaf].neighbour[static_cast<std::size_t>(exchange::side_of_face(face))];
}

/// Calls body(fine leaf) for the four behind a face of a leaf, beyond which there is this refined node.
template <class Body>
void for_finer(const mesh::tree& t, int node, int face, const Body& body) {
  const int direction = face / 2, near = face % 2 == 1 ? 0 : 1;
  for (int octant = 0; octant < 8; ++octant)
    if ((octant >> direction & 1) == near) body(t[node].child[static_cast<std::size_t>(octant)]);
}

}  // namespace

int longest_substep(int substeps, double needed) {
  int length = 1;
  while (substeps % (2 * length) == 0 && 2 * length * needed <= substeps) length *= 2;
  return length;
}

local_substeps::local_substeps(const mesh::tree& t, const mesh::local_partition& own)
    : tree_(t), own_(own.leaves()), length_(static_cast<std::size_t>(t.leaves()), 1) {
  find_faces();
}

void local_substeps::set(exec::context& context, const std::vector<int>& longest) {
  std::vector<int> before = exchange::gather_lists(context, longest);
  std::swap(before, length_);
  keep_fine_ones_fast();
  if (length_ != before) find_faces();
}

/// Level by level: what a leaf is held to is what it holds finer ones to.
void local_substeps::keep_fine_ones_fast() {
  for (int level = 0; level < tree_.max_level(); ++level)
    for (int leaf = 0; leaf < tree_.leaves(); ++leaf) {
      if (tree_[leaf].level != level) continue;
      for (int face = 0; face < mesh::faces; ++face) {
        const int node = behind(tree_, leaf, face);
        if (node < tree_.leaves()) continue;
        for_finer(tree_, node, face,
                  [&](int fine) { length_[static_cast<std::size_t>(fine)] = std::min(length(fine), length(leaf)); });
      }
    }
}

void local_substeps::find_faces() {
  lengths_ = length_;
  std::ranges::sort(lengths_);
  const auto repeated = std::ranges::unique(lengths_);
  lengths_.erase(repeated.begin(), repeated.end());

  moved_.assign(lengths_.size(), {});
  sum_.assign(static_cast<std::size_t>(own_[1] - own_[0]) * mesh::faces, -1);
  sums_ = 0;
  for (int leaf = own_[0]; leaf < own_[1]; ++leaf) {
    const auto moves_with = [&](int length) {
      std::vector<int>& list =
          moved_[static_cast<std::size_t>(std::ranges::lower_bound(lengths_, length) - lengths_.begin())];
      if (list.empty() || list.back() != leaf) list.push_back(leaf);
    };
    moves_with(length(leaf));
    for (int face = 0; face < mesh::faces; ++face) {
      bool any = false;
      const auto look_at = [&](int other) {
        if (length(other) >= length(leaf)) return;
        any = true;
        moves_with(length(other));
      };
      const int node = behind(tree_, leaf, face);
      if (node >= tree_.leaves()) {
        for_finer(tree_, node, face, look_at);
      } else if (node >= 0) {
        look_at(node);
      }
      if (any) sum_[static_cast<std::size_t>(leaf - own_[0]) * mesh::faces + static_cast<std::size_t>(face)] = sums_++;
    }
  }
}

const std::vector<int>& local_substeps::moved(int length) const {
  return moved_[static_cast<std::size_t>(std::ranges::lower_bound(lengths_, length) - lengths_.begin())];
}

int local_substeps::faster_beside(int leaf, int face) const {
  const int node = behind(tree_, leaf, face);
  return node >= 0 && node < tree_.leaves() && length(node) < length(leaf) ? node : mesh::no_block;
}

}  // namespace rednova::radiation
