// Memory for messages between ranks that kernels read and write, and events that say when they have.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "exec/cuda/device.hpp"

namespace rednova::exec::cuda {

/// An event in a context's queue (exec/space.hpp). The context outlives it.
class device_event {
 public:
  explicit device_event(const context& context) : context_(&context) {
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  }
  device_event(const device_event&) = delete;
  device_event& operator=(const device_event&) = delete;
  ~device_event() { cudaEventDestroy(event_); }

  void set() { check(cudaEventRecord(event_, context_->stream()), "cudaEventRecord"); }
  void wait() const { context_->wait_for(event_); }

 private:
  const context* context_;
  cudaEvent_t event_ = nullptr;
};

/// Memory of the device.
std::shared_ptr<std::byte[]> memory_of_device(std::size_t bytes);

/// Memory of the host that stays where it is, so that kernels reach it under the same address. A user_error where the
/// system allows no more of it.
std::shared_ptr<std::byte[]> page_locked_memory(std::size_t bytes);

}  // namespace rednova::exec::cuda
