// What the processor counts of this process's threads, by PAPI.
#pragma once

#include <memory>
#include <string>

namespace rednova::exec {

/// Of all threads since they were first seen, in user mode.
struct hardware_counts {
  double cycles = 0, instructions = 0;  ///< NaN where the processor does not count them, as the next
  double cache_misses = 0;              ///< of the last level
};

/// Opens PAPI's library, or the one that REDNOVA_PAPI names. One at a time in a process.
class hardware_counters {
 public:
  /// Counts the threads that there are.
  hardware_counters();
  hardware_counters(const hardware_counters&) = delete;
  hardware_counters& operator=(const hardware_counters&) = delete;
  ~hardware_counters();

  /// Why nothing is counted; empty if something is.
  const std::string& why_not() const { return why_not_; }
  /// Counts threads that are new, too, from here on. By one thread at a time.
  hardware_counts read();

 private:
  class papi;
  std::unique_ptr<papi> papi_;
  std::string why_not_;
};

}  // namespace rednova::exec
