// A run's trace, read back from the records of its ranks (output/trace_file.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "exec/trace_record.hpp"

namespace rednova::trace {

using exec::trace_record;

/// What a thread noted: scopes by their start, outer ones first, and messages among them; or what a device did in one
/// of its queues: kernels and copies, whose cause is the task that launched them. Times are in ns by the clock of rank
/// 0, from the first record of all on; names are of trace::names.
struct thread {
  int rank = 0, slot = 0;
  int queue = -1;  ///< of the rank's device; -1: a thread
  std::vector<trace_record> records;

  bool on_device() const { return queue >= 0; }
  /// "main thread", "thread 2", "device, queue 0".
  std::string label() const;
};

/// A message from its post to its arrival: places of its two records, by thread and record. Only those of which both
/// are there.
struct message {
  struct place {
    std::size_t thread, record;
  };
  place from, to;
};

/// A step: from the start of the step of rank 0 to its end.
struct step {
  std::int64_t start, end;
};

/// How a rank's clock was set to rank 0's: by so many ns at its first and its last record, each known to half of the
/// round trip of a message.
struct clock_setting {
  std::int64_t first = 0, last = 0, round_trip = 0;
};

struct trace {
  std::string version, commit;
  std::int64_t started = 0;  ///< ns since 1970: tells starts and restarts of a run apart
  int ranks = 0;
  std::vector<int> missing;   ///< ranks of whom there is no file of records, in order
  double share = 1;           ///< of tasks that were noted; less than 1: without messages
  std::int64_t shortest = 0;  ///< scopes shorter than this were left out, in ns
  std::int64_t lost = 0;      ///< records that found no room
  bool complete = true;       ///< all ranks whose files are there ended them
  std::vector<std::string> names;
  std::vector<thread> threads;  ///< by rank and slot, devices' queues after the threads; each rank's main one
  std::vector<message> messages;
  std::vector<step> steps;
  std::vector<clock_setting> clocks;  ///< by rank
  std::vector<std::int64_t> origins;  ///< by rank: the first record of all by its own clock, in ns
  std::int64_t length = 0;            ///< ns to the last end

  const std::string& name(const trace_record& r) const { return names[r.name]; }
  const trace_record& at(const message::place& p) const { return threads[p.thread].records[p.record]; }
};

/// Which steps to read of a trace: of those that it has, counted from 0.
struct step_range {
  std::int64_t first = 0, last = std::numeric_limits<std::int64_t>::max();
};

/// Reads the trace of a run's directory; of a run that was killed, what it left.
/// @throws core::user_error where there is none of rank 0, or where it cannot be read, or is not of one start.
trace read_trace(const std::string& run, const step_range& steps = {});

}  // namespace rednova::trace
