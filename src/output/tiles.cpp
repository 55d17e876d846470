#include "output/tiles.hpp"

#include <algorithm>
#include <set>

namespace rednova::output {

namespace {

using mesh::N;
using key = std::array<int, 3>;

key key_of(const mesh::node& n, int axis) {
  const auto [u, v] = directions_across(axis);
  return {n.level, n.place[u], n.place[v]};
}

key quarter(const key& of, int number) { return {of[0] + 1, 2 * of[1] + number % 2, 2 * of[2] + number / 2}; }

}  // namespace

std::vector<int> leaves_cut(const mesh::tree& t, int axis, double at) {
  std::vector<int> cut;
  for (int n = 0; n < t.leaves(); ++n) {
    // Of a neighbour's corner the same bits: no leaf is missed between two.
    const mesh::node& leaf = t[n];
    core::vec3i next = leaf.place;
    ++next[axis];
    const double upper = mesh::corner_of(t.box().lower, t.box().base_width, leaf.level, next)[axis];
    if (t.corner(n)[axis] <= at && at < upper) cut.push_back(n);
  }
  return cut;
}

int layer_cut(const mesh::tree& t, int leaf, int axis, double at) {
  return std::clamp(static_cast<int>((at - t.corner(leaf)[axis]) / t.cell_width(leaf)), 0, N - 1);
}

column_tiles::column_tiles(const mesh::tree& t, int axis) : axis_(axis) {
  std::set<key> refined;
  for (const mesh::node& n : t.nodes()) {
    if (!n.leaf()) refined.insert(key_of(n, axis));
  }
  const auto descend = [&](const auto& self, const key& at) -> void {
    if (refined.contains(at)) {
      for (int q = 0; q < 4; ++q) self(self, quarter(at, q));
      return;
    }
    numbers_[at] = static_cast<int>(tiles_.size());
    tiles_.push_back({at[0], {at[1], at[2]}});
  };
  const auto [u, v] = directions_across(axis);
  for (int b = 0; b < t.box().base[v]; ++b) {
    for (int a = 0; a < t.box().base[u]; ++a) descend(descend, {0, a, b});
  }
}

void column_tiles::add(const mesh::node& leaf, const double* columns, std::vector<double>& sums) const {
  const key at = key_of(leaf, axis_);
  add_below(at, at, columns, sums);
}

void column_tiles::add_below(const key& at, const key& leaf, const double* columns, std::vector<double>& sums) const {
  const auto found = numbers_.find(at);
  if (found == numbers_.end()) {
    for (int q = 0; q < 4; ++q) add_below(quarter(at, q), leaf, columns, sums);
    return;
  }
  const int finer = at[0] - leaf[0];
  double* const out = sums.data() + static_cast<std::size_t>(found->second) * tile_cells;
  for (int b = 0; b < N; ++b) {
    const int row = ((at[2] * N + b) >> finer) - leaf[2] * N;
    for (int a = 0; a < N; ++a) out[b * N + a] += columns[row * N + ((at[1] * N + a) >> finer) - leaf[1] * N];
  }
}

}  // namespace rednova::output
