// What the system says of this process: processor time, memory, threads, network.
#pragma once

namespace rednova::output {

/// Readings since the process began; zero where the system does not tell.
struct process_load {
  double processor = 0;   ///< seconds, user and system, of all threads
  double resident = 0;    ///< bytes in memory now
  double high_water = 0;  ///< bytes in memory at most
  double network = 0;     ///< bytes in and out of the machine's network devices, without loopback, since it booted
  int threads = 0;
};

/// From /proc/self and /proc/net/dev.
process_load read_process_load();

}  // namespace rednova::output
