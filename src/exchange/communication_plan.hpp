// Who sends which numbers of which blocks to whom.
#pragma once

#include <cstddef>
#include <vector>

#include "exec/for_each.hpp"

namespace rednova::exchange {

/// Consecutive numbers of a block: of each field's, if it has several.
struct run {
  int first, count;
};

/// The members of a set of flags (operator[], size()) as runs of consecutive ones.
template <class Set>
std::vector<run> runs_of(const Set& set) {
  std::vector<run> runs;
  for (int i = 0; i < static_cast<int>(set.size()); ++i) {
    if (!set[static_cast<std::size_t>(i)]) continue;
    if (runs.empty() || runs.back().first + runs.back().count != i) runs.push_back({i, 0});
    ++runs.back().count;
  }
  return runs;
}

/// What this rank asks another one for: runs of a node's numbers.
struct request {
  int from;
  int node;
  std::vector<run> runs;
};

/// Who sends what to whom: made of the ranks' requests when the mesh or its owners change.
class communication_plan {
 public:
  /// Of a node: which runs, and how many numbers of the message come before them, for each field.
  struct piece {
    int node;
    std::size_t first_run, last_run;
    std::size_t before;
  };
  struct message {
    int rank;
    std::size_t numbers = 0;  ///< of each field
    std::vector<piece> pieces;
  };

  /// Nothing: one rank alone.
  communication_plan() = default;
  /// Exchanges the requests of all ranks. Collective; what is asked of one rank for a node is one request.
  communication_plan(exec::context& context, std::vector<request> requests);

  const std::vector<message>& outgoing() const { return outgoing_; }
  const std::vector<message>& incoming() const { return incoming_; }
  const run* runs() const { return runs_.data(); }

 private:
  message read(int rank, const std::vector<int>& words);

  std::vector<run> runs_;
  std::vector<message> outgoing_, incoming_;  // by rank
};

}  // namespace rednova::exchange
