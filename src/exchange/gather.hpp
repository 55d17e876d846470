// Lists and sums over the leaves of all ranks, the same on each rank and for any number of ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "exec/for_each.hpp"
#include "exec/transport.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::exchange {

/// `bytes` of each rank, in the order of ranks.
std::vector<std::byte> gather_bytes(exec::context& context, std::span<const std::byte> mine);

/// `bytes` of each rank, of any length and in the order of ranks, at rank 0; none elsewhere.
std::vector<std::vector<std::byte>> gather_at_first(exec::context& context, std::span<const std::byte> mine);

/// A value of each rank, in their order. Time in collective calls counts as waiting for all ranks.
template <class T>
std::vector<T> gather_all(exec::context& context, const T& mine) {
  const exec::profile::scope timed(context.times(), exec::phases::wait_for_ranks, exec::activity::wait);
  return context.ranks()->gather_all(mine);
}

/// The lists of all ranks, one after the other: what a rank has for each of its leaves becomes what all have for each
/// leaf of the tree.
template <class T>
std::vector<T> gather_lists(exec::context& context, const std::vector<T>& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (context.ranks() == nullptr) return mine;
  const std::vector<std::size_t> counts = gather_all(context, mine.size());
  const std::size_t most = *std::ranges::max_element(counts);
  std::vector<T> padded(mine);
  padded.resize(most);
  const std::vector<std::byte> all = gather_bytes(context, std::as_bytes(std::span<const T>(padded)));
  std::vector<T> result;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const T* const first = reinterpret_cast<const T*>(all.data()) + r * most;
    result.insert(result.end(), first, first + counts[r]);
  }
  return result;
}

/// The lists of all ranks, one after the other, at rank 0; none elsewhere.
template <class T>
std::vector<T> lists_at_first(exec::context& context, const std::vector<T>& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all;
  for (const std::vector<std::byte>& part : gather_at_first(context, std::as_bytes(std::span<const T>(mine)))) {
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(T));
    if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
  }
  return all;
}

/// A value of each rank, folded in the order of ranks.
template <class T, class Fold>
T fold_ranks(exec::context& context, const T& mine, const Fold& fold) {
  if (context.ranks() == nullptr) return mine;
  const exec::profile::scope timed(context.times(), exec::phases::wait_for_ranks, exec::activity::wait);
  return context.ranks()->all_reduce(mine, fold);
}

/// Whether something holds on any rank.
inline bool on_any_rank(exec::context& context, bool here) {
  return fold_ranks(context, here ? 1 : 0, [](int a, int b) { return a | b; }) != 0;
}

/// This rank's leaves, or in place of eight that have one parent that one, along the curve: what is added up at once,
/// while its rows are in the cache.
std::vector<int> nodes_to_fold(const mesh::tree& t, const mesh::local_partition& s);

/// Rows of `numbers` T for each leaf, folded along the octree: the eight children of a node in their order, then that
/// sum with its siblings'. So the order of additions depends on the mesh alone, and a rank tells the others a few sums
/// and not its leaves'.
///
/// kernel(leaf, row) fills the row of one of this rank's leaves, which holds T{}; fold(sum, row) adds a row to a sum.
template <class T, class Kernel, class Fold>
std::vector<T> fold_leaves(exec::context& context, const char* phase, const mesh::tree& t,
                           const mesh::local_partition& s, int numbers, const Kernel& kernel, const Fold& fold) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto width = static_cast<std::size_t>(numbers);
  const std::vector<int> nodes = nodes_to_fold(t, s);
  std::vector<T> rows(nodes.size() * width);
  exec::for_each(context, phase, static_cast<int>(nodes.size()), [&](int i) {
    const int node = nodes[static_cast<std::size_t>(i)];
    T* const sum = rows.data() + static_cast<std::size_t>(i) * width;
    if (node < t.leaves()) return kernel(node, sum);
    kernel(t[node].child[0], sum);
    std::vector<T> row(width);
    for (std::size_t c = 1; c < 8; ++c) {
      std::ranges::fill(row, T{});
      kernel(t[node].child[c], row.data());
      fold(sum, row.data());
    }
  });

  // A node's sum takes the place of its first row, and this descent meets the nodes in their order.
  std::size_t met = 0;
  const auto sum_of = [&](const auto& self, int node) -> T* {
    if (met < nodes.size() && nodes[met] == node) return rows.data() + width * met++;
    T* const sum = self(self, t[node].child[0]);
    for (std::size_t c = 1; c < 8; ++c) fold(sum, self(self, t[node].child[c]));
    return sum;
  };
  std::vector<T> mine;
  mine.reserve(static_cast<std::size_t>(s.most_pieces()) * width);
  for (const auto& piece : s.pieces()) {
    if (piece.owner != s.rank()) continue;
    const T* const sum = sum_of(sum_of, piece.node);
    mine.insert(mine.end(), sum, sum + width);
  }
  std::vector<std::size_t> next(1, 0);  // of each rank's sums
  if (context.ranks() != nullptr) {
    const std::size_t slab = static_cast<std::size_t>(s.most_pieces()) * width;
    mine.resize(slab);
    const std::vector<std::byte> all = gather_bytes(context, std::as_bytes(std::span<const T>(mine)));
    const T* const first = reinterpret_cast<const T*>(all.data());
    mine.assign(first, first + all.size() / sizeof(T));
    next.resize(static_cast<std::size_t>(context.ranks()->size()));
    for (std::size_t r = 0; r < next.size(); ++r) next[r] = r * slab;
  }
  // The pieces come along the curve, as this descent meets them.
  std::size_t piece = 0;
  const auto total_of = [&](const auto& self, int node) -> std::vector<T> {
    if (s.pieces()[piece].node == node) {
      std::size_t& at = next[static_cast<std::size_t>(s.pieces()[piece++].owner)];
      at += width;
      return {mine.begin() + static_cast<std::ptrdiff_t>(at - width), mine.begin() + static_cast<std::ptrdiff_t>(at)};
    }
    std::vector<T> sum = self(self, t[node].child[0]);
    for (std::size_t c = 1; c < 8; ++c) fold(sum.data(), self(self, t[node].child[c]).data());
    return sum;
  };
  std::vector<T> all;
  for (const int root : mesh::roots(t)) {
    std::vector<T> sum = total_of(total_of, root);
    if (all.empty()) {
      all = std::move(sum);
    } else {
      fold(all.data(), sum.data());
    }
  }
  return all;
}

}  // namespace rednova::exchange
