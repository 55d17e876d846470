// A CUDA device as a place where kernels run: found, opened and checked here.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/check.hpp"

namespace rednova::exec::cuda {

/// What the host can use: the number of devices, and why there is none.
struct availability {
  int devices = 0;
  std::string reason;  ///< empty if there is a device
};
availability find_devices();

/// Throws std::runtime_error with the call and CUDA's own words if a call failed; a user_error if memory is used up.
void check(cudaError_t result, const char* call);

/// One device and the queue of its work: kernels and copies run in the order in which they were launched.
class context {
 public:
  /// Opens device `number`; a user_error if there is no such device.
  explicit context(int number = 0);
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context();

  cudaStream_t stream() const { return stream_; }
  /// The queue in which memory is taken from the device's pool and given back. It keeps step with the queues of all
  /// contexts, in the order of the calls, so that memory need not know a context.
  static cudaStream_t memory() { return cudaStreamLegacy; }
  /// The most bytes that a team may share.
  int shared_memory() const { return shared_memory_; }
  /// Bytes of the device's memory that nothing holds: what the pool keeps for later goes back to the device first.
  double free_memory() const;
  /// Returns when all work launched so far is done; throws what went wrong in it.
  void wait() const;
  /// Name and compute capability, for the run's header.
  const std::string& description() const { return description_; }

 private:
  cudaStream_t stream_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  int shared_memory_ = 0;
  std::string description_;
};

}  // namespace rednova::exec::cuda
