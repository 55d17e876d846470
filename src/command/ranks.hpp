// A command on the ranks of a run: how they are connected, and how they end together.
#pragma once

#include <functional>

#include "command/command.hpp"
#include "exec/for_each.hpp"
#include "exec/transport.hpp"

namespace rednova::command {

/// Calls read(), which looks at the input, connects the ranks and calls body on each. What any rank finds wrong with
/// the input is said once, by the first, and all end in order.
int on_ranks(const job& what, const std::function<void()>& read,
             const std::function<int(exec::context&, exec::transport&)>& body);

}  // namespace rednova::command
