// The records of a rank's threads (exec/trace_record.hpp) in a file, while a run goes on.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "exec/for_each.hpp"
#include "output/provenance.hpp"

namespace rednova::output {

/// The folder of a run's trace, and a rank's file of records in it.
std::string trace_folder(const std::string& run);
std::string record_file(const std::string& run, int rank);

/// What a file of records is made of: a head of three numbers, the kind, the bytes that follow and their check sum. A
/// file that ends within a part is that of a run that was killed.
enum class trace_part : std::uint32_t {
  about = 1,  ///< JSON: format, version, commit, start, rank, ranks, threads (then a device's queues), share of tasks
  name,       ///< of a thread or queue: its slot and the name's number (trace_part_name), then the text
  records,    ///< trace_part_records, then records (output/packed_records.hpp)
  clock,      ///< trace_part_clock
  lost,       ///< how many records found no room: 8 bytes
};
struct trace_part_head {
  trace_part what;
  std::uint32_t bytes;
  std::uint32_t sum;  ///< CRC-32 of the two numbers above and the bytes
};
/// The check sum of a part, whose content may be in two pieces.
std::uint32_t sum_of(const trace_part_head& part, std::span<const std::byte> head,
                     std::span<const std::byte> rest = {});
/// Of files of records; it changes with what is in them.
constexpr int trace_format = 3;
struct trace_part_name {
  std::uint32_t slot, number;
};
struct trace_part_records {
  std::uint32_t slot, count;
};
/// This rank's clock read between two readings of rank 0's, all in ns.
struct trace_part_clock {
  std::int64_t first_of_0, mine, last_of_0;
};

/// Starts the trace of a context's threads and writes what they note, a tenth of a second later at most: all that, a
/// killed run leaves behind. All ranks make it and close it together.
///
/// What cannot be written is warned of once, and the run goes on.
class trace_file {
 public:
  /// share: of tasks, see exec::profile::start_trace.
  trace_file(exec::context& c, const std::string& run, const provenance& from, double share);
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;
  ~trace_file();

  /// Ends the file; not where the run has failed on any rank. Gives how many records found no room, on this rank.
  std::int64_t close();

 private:
  void sweep();
  void keep_up();
  void stop();
  void give_up();
  void write(trace_part what, std::span<const std::byte> head, std::span<const std::byte> rest);
  void compare_clocks();

  exec::context& context_;
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::vector<std::vector<const char*>> written_names_;  // [slot][number]
  std::mutex guard_;
  std::condition_variable woken_;
  bool over_ = false;  // under guard_
  std::thread thread_;
};

}  // namespace rednova::output
