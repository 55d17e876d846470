// What a step waited for from its beginning to its end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "trace/causes.hpp"

namespace rednova::trace {

/// A piece of the critical path, which ends where the next begins: a task, a message on its way, the time for which
/// something was ready and no thread took it up, or the main thread was before, between or after lists of tasks; or
/// what came before a message whose sender the trace does not have.
struct path_piece {
  enum class kind { task, message, queue, not_traced };
  kind what;
  int rank, slot;           ///< where it ends
  std::int64_t start, end;  ///< ns
  /// Of a task the phase that it was in longest, of a message its mailbox, of a queue what the main thread did (""
  /// where it worked at other tasks), of what is not in the trace whose work it was.
  std::string name;
  int number = -1;  ///< of a task in its list
};

/// The phase that took most of a task's time up to `until`, of those directly in it.
std::string longest_phase(const trace& t, const message::place& task, std::int64_t until);

/// Goes back from the end of the step of rank 0: over what its main thread did after the tasks, to the task that ended
/// last, to what made it ready, and so on until the first task, before which the main thread of that rank prepares it,
/// or to a message of a rank that the trace does not have.
/// To speed up anything else does not make the step shorter. A wait for all ranks, as for the time step, is a phase of
/// the rank that waits: the path does not lead to the one that came last. In the order of time.
std::vector<path_piece> critical_path(const trace& t, const causes& made, const step& of);

/// The path for people: sums by what it consists of, then its pieces.
std::string describe(const std::vector<path_piece>& path, const step& of, std::size_t most_pieces);

}  // namespace rednova::trace
