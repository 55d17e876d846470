// Memory for messages between ranks that kernels read and write, and marks that say when they have.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "exec/cuda/device.hpp"

namespace rednova::exec::cuda {

/// A mark in a context's queue (exec/place.hpp). The context outlives it.
class mark {
 public:
  explicit mark(const context& where) : where_(&where) {
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  }
  mark(const mark&) = delete;
  mark& operator=(const mark&) = delete;
  ~mark() { cudaEventDestroy(event_); }

  void set() { check(cudaEventRecord(event_, where_->stream()), "cudaEventRecord"); }
  void wait() const { where_->wait_for(event_); }

 private:
  const context* where_;
  cudaEvent_t event_ = nullptr;
};

/// Memory of the device.
std::shared_ptr<std::byte[]> memory_of_device(std::size_t bytes);

/// Memory of the host that stays where it is, so that kernels reach it under the same address. A user_error where the
/// system allows no more of it.
std::shared_ptr<std::byte[]> page_locked_memory(std::size_t bytes);

}  // namespace rednova::exec::cuda
