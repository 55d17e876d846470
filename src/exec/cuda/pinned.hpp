// Memory of the host that a device reads and writes at the full speed of its link.
#pragma once

#include <cstddef>
#include <utility>

#include "exec/cuda/device.hpp"

namespace rednova::exec::cuda {

/// Keeps memory where it is as long as this object lives. Where the system allows no more of that, copies are slower
/// and otherwise the same.
class pinned {
 public:
  pinned() = default;
  pinned(const context&, void* memory, std::size_t bytes) {
    if (bytes > 0 && cudaHostRegister(memory, bytes, cudaHostRegisterDefault) == cudaSuccess) memory_ = memory;
    cudaGetLastError();  // the runtime would report a refusal after the next launch
  }
  pinned(pinned&& b) noexcept : memory_(std::exchange(b.memory_, nullptr)) {}
  pinned& operator=(pinned&& b) noexcept {
    std::swap(memory_, b.memory_);
    return *this;
  }
  ~pinned() {
    if (memory_ != nullptr) cudaHostUnregister(memory_);
  }

 private:
  void* memory_ = nullptr;
};

}  // namespace rednova::exec::cuda
