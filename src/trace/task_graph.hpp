// The tasks of a step as a graph.
#pragma once

#include <string>

#include "trace/causes.hpp"

namespace rednova::trace {

/// Writes the tasks of a step for Graphviz (`dot -Tsvg`): a node a task with the phase that it was in longest, arrows
/// from what made it ready, dashed where that was a message; the critical path is red. Tasks shorter than
/// trace::shortest are left out, and arrows go on from what made them ready.
/// @throws core::user_error if the file cannot be written.
void write_task_graph(const trace& t, const causes& made, const step& of, const std::string& path);

}  // namespace rednova::trace
