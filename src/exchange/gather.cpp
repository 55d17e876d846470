#include "exchange/gather.hpp"

#include "core/check.hpp"

namespace rednova::exchange {

std::vector<std::byte> gather_bytes(exec::context& context, std::span<const std::byte> mine) {
  exec::transport* const ranks = context.ranks();
  if (ranks == nullptr || mine.empty()) return {mine.begin(), mine.end()};
  exec::profile::scope timed(context.times(), exec::phases::wait_for_ranks, exec::activity::wait);
  std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(ranks->size()));
  exec::event done;
  ranks->start_gather_all(mine, all, done);
  ranks->wait(done);
  return all;
}

std::vector<std::vector<std::byte>> gather_at_first(exec::context& context, std::span<const std::byte> mine) {
  if (context.ranks() == nullptr) return {{mine.begin(), mine.end()}};
  const exec::profile::scope timed(context.times(), exec::phases::wait_for_ranks, exec::activity::wait);
  std::vector<std::vector<std::byte>> outgoing(static_cast<std::size_t>(context.ranks()->size()));
  outgoing[0].assign(mine.begin(), mine.end());
  std::vector<std::vector<std::byte>> all = context.ranks()->exchange(std::move(outgoing));
  if (!context.leads()) all.clear();
  return all;
}

std::vector<int> nodes_to_fold(const mesh::tree& t, const mesh::local_partition& s) {
  std::vector<int> nodes;
  const auto is_leaf = [&](int node) { return node < t.leaves(); };
  const auto descend = [&](const auto& self, int node) -> void {
    if (is_leaf(node) || std::ranges::all_of(t[node].child, is_leaf)) {
      nodes.push_back(node);
    } else {
      for (const int child : t[node].child) self(self, child);
    }
  };
  for (const auto& piece : s.pieces()) {
    if (piece.owner == s.rank()) descend(descend, piece.node);
  }
  return nodes;
}

}  // namespace rednova::exchange
