#include "trace/causes.hpp"

#include <algorithm>

namespace rednova::trace {

namespace {

std::uint64_t key(int rank, std::uint32_t id) { return static_cast<std::uint64_t>(rank) << 32U | id; }
std::uint64_t key(const message::place& at) { return static_cast<std::uint64_t>(at.thread) << 40U | at.record; }

}  // namespace

causes::causes(const trace& t) : trace_(&t) {
  for (std::size_t thread = 0; thread < t.threads.size(); ++thread) {
    const auto& records = t.threads[thread].records;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records[i].id != 0) by_id_[key(t.threads[thread].rank, records[i].id)].push_back({thread, i});
    }
  }
  for (auto& [id, places] : by_id_)
    std::ranges::sort(places, {}, [&](const message::place& p) { return t.at(p).start; });
  for (const message& m : t.messages) sender_.emplace(key(m.to), m.from);
}

std::optional<message::place> causes::of(const message::place& at) const {
  const trace_record& r = trace_->at(at);
  if (r.cause == 0) return {};
  const auto found = by_id_.find(key(trace_->threads[at.thread].rank, r.cause));
  if (found == by_id_.end()) return {};
  const auto later = std::ranges::upper_bound(found->second, r.start, {},
                                              [&](const message::place& p) { return trace_->at(p).start; });
  if (later == found->second.begin()) return {};
  return *(later - 1);
}

std::optional<message::place> causes::sender(const message::place& received) const {
  const auto found = sender_.find(key(received));
  if (found == sender_.end()) return {};
  return found->second;
}

}  // namespace rednova::trace
