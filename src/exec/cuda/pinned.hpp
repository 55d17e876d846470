// Memory of the host that a device reads and writes at the full speed of its link.
#pragma once

#include <cstddef>
#include <utility>

#include "exec/cuda/device.hpp"

namespace rednova::exec::cuda {

/// Keeps memory where it is as long as this object lives. Where the system allows no more of that, copies are slower
/// and otherwise the same. Small memory is left alone: it may share its pages with others'.
class pinned {
 public:
  static constexpr std::size_t least = 32 << 20;  ///< bytes; from there on malloc gives pages of their own

  pinned() = default;
  pinned(const context&, void* memory, std::size_t bytes) {
    if (bytes > least && cudaHostRegister(memory, bytes, cudaHostRegisterDefault) == cudaSuccess) memory_ = memory;
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
