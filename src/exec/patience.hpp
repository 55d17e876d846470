// How the main thread waits.
#pragma once

#include <chrono>
#include <thread>

namespace rednova::exec {

/// Leaves the core to others while there is nothing to do: first for a moment, since most waits are short, then for
/// longer, since ranks may share cores.
class patience {
 public:
  /// @param waited seconds so far
  /// @return true about every millisecond
  bool pause(double waited) {
    constexpr double keen = 100e-6;
    if (waited < keen) {
      std::this_thread::yield();
      return false;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    if (waited - told_ < 1e-3) return false;
    told_ = waited;
    return true;
  }

 private:
  double told_ = 0;
};

}  // namespace rednova::exec
