#include "regrid/migrate.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "exec/transport.hpp"

namespace rednova::regrid {

void migrate(exec::context& context, const std::vector<mesh::migration>& moves, const moving_leaves& leaves,
             migration_counts& counts) {
  exec::transport& ranks = *context.ranks();
  const int me = ranks.rank();
  // Runs are in the order of the curve on both sides, so a message needs no table of contents.
  std::vector<std::vector<std::byte>> messages(static_cast<std::size_t>(ranks.size()));
  for (const mesh::migration& m : moves) {
    if (m.from != me) continue;
    std::vector<std::byte>& message = messages[static_cast<std::size_t>(m.to)];
    const std::size_t before = message.size(), bytes = static_cast<std::size_t>(m.last - m.first) * leaves.bytes;
    message.resize(before + bytes);
    leaves.take(m.first, m.last, message.data() + before);
    counts.sent += m.last - m.first;
    counts.bytes_sent += static_cast<std::int64_t>(bytes);
  }
  const std::vector<std::vector<std::byte>> got = ranks.exchange(std::move(messages));
  std::vector<std::size_t> read(got.size(), 0);
  for (const mesh::migration& m : moves) {
    if (m.to != me) continue;
    const auto r = static_cast<std::size_t>(m.from);
    leaves.store(m.first, m.last, got[r].data() + read[r]);
    read[r] += static_cast<std::size_t>(m.last - m.first) * leaves.bytes;
    counts.received += m.last - m.first;
  }
}

std::array<int, 2> kept_leaves(const mesh::local_partition& had, const mesh::local_partition& own) {
  const int first = std::max(own.leaves()[0], had.leaves()[0]), last = std::min(own.leaves()[1], had.leaves()[1]);
  return {first, std::max(first, last)};
}

mesh::block_data migrate(exec::context& context, const std::vector<mesh::migration>& moves,
                         const mesh::local_partition& had, const mesh::local_partition& own, const mesh::block_data& u,
                         migration_counts& counts) {
  exec::profile::scope timed(context.times(), "migrate");
  const std::size_t block = static_cast<std::size_t>(u.fields()) * mesh::cells * sizeof(double);
  const auto bytes = [block](int first, int last) { return static_cast<std::size_t>(last - first) * block; };
  mesh::block_data result(mesh::slots::of_leaves(own), u.fields());
  const auto [first, last] = kept_leaves(had, own);
  if (first < last) std::memcpy(result.at(first), u.at(first), bytes(first, last));
  migrate(context, moves,
          {.bytes = block,
           .take = [&](int a, int b, std::byte* message) { std::memcpy(message, u.at(a), bytes(a, b)); },
           .store = [&](int a, int b, const std::byte* message) { std::memcpy(result.at(a), message, bytes(a, b)); }},
          counts);
  return result;
}

std::vector<double> costs_after(const mesh::tree& before, std::span<const double> of_nodes, const mesh::tree& after) {
  const auto leaves = static_cast<std::ptrdiff_t>(before.leaves());
  const auto mean = [](auto first, auto last) {
    return first == last ? 0.0 : std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
  };
  const double leaf = mean(of_nodes.begin(), of_nodes.begin() + leaves);
  const double refined = mean(of_nodes.begin() + leaves, of_nodes.end());
  std::vector<double> costs(static_cast<std::size_t>(after.size()));
  for (int n = 0; n < after.size(); ++n) {
    const int same = before.find(after[n].id);
    const bool known = same >= 0 && (same < before.leaves()) == (n < after.leaves());
    costs[static_cast<std::size_t>(n)] = known                ? of_nodes[static_cast<std::size_t>(same)]
                                         : n < after.leaves() ? leaf
                                                              : refined;
  }
  return mesh::costs_of_leaves(after, costs);
}

}  // namespace rednova::regrid
