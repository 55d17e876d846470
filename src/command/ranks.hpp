// A command on the ranks of a run: how they are connected, and how they end together.
#pragma once

#include <functional>

#include "command/command.hpp"
#include "exec/for_each.hpp"
#include "exec/transport.hpp"

namespace rednova::command {

/// Connects the ranks and calls body on each. Before, read() looks at the input: what is wrong there is said once, by
/// the first rank, and no messages are needed for it.
int on_ranks(const job& what, const std::function<void()>& read,
             const std::function<int(exec::context&, exec::transport&)>& body);

}  // namespace rednova::command
