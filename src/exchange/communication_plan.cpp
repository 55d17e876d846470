#include "exchange/communication_plan.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/check.hpp"
#include "exec/transport.hpp"

namespace rednova::exchange {

namespace {

std::vector<std::byte> bytes_of(const std::vector<int>& words) {
  std::vector<std::byte> bytes(words.size() * sizeof(int));
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::vector<int> words_of(const std::vector<std::byte>& bytes) {
  std::vector<int> words(bytes.size() / sizeof(int));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace

communication_plan::communication_plan(exec::context& context, std::vector<request> requests) {
  exec::transport* const ranks = context.ranks();
  if (ranks == nullptr) {
    EXPECT(requests.empty());
    return;
  }
  // By rank and node, so that both ends have one order.
  std::ranges::sort(requests, {}, [](const request& w) { return std::pair(w.from, w.node); });
  std::vector<std::vector<int>> asked(static_cast<std::size_t>(ranks->size()));
  for (const request& w : requests) {
    EXPECT(w.from != ranks->rank());
    std::vector<int>& words = asked[static_cast<std::size_t>(w.from)];
    words.push_back(w.node);
    words.push_back(static_cast<int>(w.runs.size()));
    for (const run& r : w.runs) words.insert(words.end(), {r.first, r.count});
  }
  std::vector<std::vector<std::byte>> messages;
  for (const auto& words : asked) messages.push_back(bytes_of(words));
  const std::vector<std::vector<std::byte>> heard = ranks->exchange(std::move(messages));
  for (int rank = 0; rank < ranks->size(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    if (!asked[r].empty()) incoming_.push_back(read(rank, asked[r]));
    if (rank != ranks->rank() && !heard[r].empty()) outgoing_.push_back(read(rank, words_of(heard[r])));
  }
}

communication_plan::message communication_plan::read(int rank, const std::vector<int>& words) {
  message m{.rank = rank, .pieces = {}};
  for (std::size_t i = 0; i < words.size();) {
    piece p{words[i], runs_.size(), runs_.size(), m.numbers};
    const int count = words[i + 1];
    i += 2;
    for (int r = 0; r < count; ++r, i += 2) {
      runs_.push_back({words[i], words[i + 1]});
      m.numbers += static_cast<std::size_t>(words[i + 1]);
    }
    p.last_run = runs_.size();
    m.pieces.push_back(p);
  }
  return m;
}

}  // namespace rednova::exchange
