// What ranks took of their machines while a trace was on, from the profile of the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace rednova::trace {

/// Of a rank: numbers that hold from one time to the next.
struct rank_load {
  int rank = 0;
  std::vector<std::string> names;           ///< with their units
  std::vector<std::int64_t> times;          ///< ns, of the trace's
  std::vector<std::vector<double>> values;  ///< [time][name]
};

/// Reads the samples of profile.json (docs/profile.md), and of a killed run's other ranks, as far as they
/// reach into the trace: rates between two samples, and what else there is. Nothing where there is no profile of the
/// run that was traced.
std::vector<rank_load> read_load(const std::string& run, const trace& t);

}  // namespace rednova::trace
