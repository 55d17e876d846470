// What a run on several ranks has cost in messages: for --counters and the table at its end.
#pragma once

#include <string>

#include "step/simulation.hpp"

namespace rednova::output {

/// Collects the counters of all ranks; all ranks call it. On rank 0 `table` is for people and `json` for programs (see
/// docs/scaling.md); empty on the others. One rank alone has no table.
///
/// seconds: wall time of the run.
struct counters {
  std::string table, json;
};
counters collect_counters(const step::simulation& s, double seconds);

}  // namespace rednova::output
