// Who made whom ready.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "trace/trace.hpp"

namespace rednova::trace {

/// Finds the records of ids. Ids come again after some millions: the latest that had begun counts.
class causes {
 public:
  explicit causes(const trace& t);

  /// The task or message that made a record's task ready, or posted its message.
  std::optional<message::place> of(const message::place& at) const;
  /// Where a message that has been received was sent.
  std::optional<message::place> sender(const message::place& received) const;

 private:
  const trace* trace_;
  std::unordered_map<std::uint64_t, std::vector<message::place>> by_id_;  // rank and id; by their starts
  std::unordered_map<std::uint64_t, message::place> sender_;              // of the record of an arrival
};

}  // namespace rednova::trace
