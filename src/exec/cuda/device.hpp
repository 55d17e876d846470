// A CUDA device: found, opened and checked.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include "core/check.hpp"
#include "exec/poller.hpp"

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
  /// The most bytes that a thread block may share.
  int shared_memory() const { return shared_memory_; }
  /// What the pool keeps for later goes back to the device, where others find it too.
  void trim_pool() const;
  /// Bytes of the device's memory that nothing holds, nor any pool.
  double free_memory() const;
  /// Lets the host look after messages while it waits for this device, which it then does on the calling thread alone.
  /// `messages` outlives what waits.
  void look_after(poller& messages) { meanwhile_ = &messages; }
  /// Returns when all work launched so far is done; throws what went wrong in it, or in looking after messages.
  void wait() const;
  /// The same for the work before an event that was recorded.
  void wait_for(cudaEvent_t event) const;
  /// Copies bytes from or to the host after all work launched so far; done on return.
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind way) const;
  /// Bytes that copy() has brought to the device and to the host so far.
  double copied(cudaMemcpyKind way) const;
  /// Bytes of the device's memory that this process holds now, and held at most. By any thread, as copied().
  double memory_in_use() const;
  double most_memory_in_use() const;
  /// What no other device of any machine has.
  const std::array<char, 16>& identity() const { return identity_; }
  /// Name and compute capability, for the run's header.
  const std::string& description() const { return description_; }

 private:
  cudaStream_t stream_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  poller* meanwhile_ = nullptr;
  int shared_memory_ = 0;
  mutable std::atomic<std::size_t> to_device_{0}, to_host_{0};
  std::array<char, 16> identity_{};
  std::string description_;
};

}  // namespace rednova::exec::cuda
