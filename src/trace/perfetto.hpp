// A trace for viewers of trace events, such as Perfetto's.
#pragma once

#include <string>
#include <vector>

#include "trace/load.hpp"
#include "trace/trace.hpp"

namespace rednova::trace {

/// Writes the trace event format's JSON (https://ui.perfetto.dev and chrome://tracing read it): a process for each
/// rank, scopes as slices, arrows from what posted a message over the message to the tasks that it made ready, and
/// what ranks took of their machines as counters.
/// @throws core::user_error if the file cannot be written.
void write_trace_events(const trace& t, const std::vector<rank_load>& load, const std::string& path);

}  // namespace rednova::trace
