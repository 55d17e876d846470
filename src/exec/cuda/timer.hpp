// The time that work takes on a device, by its own clock.
#pragma once

#include "exec/cuda/device.hpp"

namespace rednova::exec::cuda {

/// An event in a context's queue.
class event {
 public:
  event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  ~event() { cudaEventDestroy(event_); }

  void record(const context& context) { check(cudaEventRecord(event_, context.stream()), "cudaEventRecord"); }
  /// Seconds from an earlier event to this one; waits for it.
  double since(const event& earlier) const {
    check(cudaEventSynchronize(event_), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "cudaEventElapsedTime");
    return 1e-3 * milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace rednova::exec::cuda
