// How the main thread waits.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace rednova::exec {

/// Leaves the core to others while there is nothing to do: first for a moment, since most waits are short, then for
/// longer, since ranks may share cores: by a fiftieth of the wait so far, which is how much later than possible it may
/// end.
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
    constexpr double share = 0.02, shortest = 20e-6, longest = 500e-6;
    std::this_thread::sleep_for(std::chrono::duration<double>(std::clamp(share * waited, shortest, longest)));
    if (waited - told_ < 1e-3) return false;
    told_ = waited;
    return true;
  }

 private:
  double told_ = 0;
};

}  // namespace rednova::exec
