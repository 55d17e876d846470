// A CUDA device as an execution space (exec/space.hpp). Only sources that nvcc compiles include this.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "exec/cuda/for_each.hpp"
#include "exec/cuda/message_memory.hpp"
#include "exec/cuda/pinned.hpp"
#include "exec/mailbox.hpp"

namespace rednova::exec::cuda {

/// The device of a context, and its queue.
struct space {
  template <class T>
  using array = cuda::array<T>;
  using device_event = cuda::device_event;
  using pinned = cuda::pinned;

  const context* on;

  operator const context&() const { return *on; }
  template <class T>
  array<T> copy_of(const std::vector<T>& values) const {
    return on_device(*on, values);
  }
  template <class T>
  void upload(T* to, std::span<const T> values) const {
    on->copy(to, values.data(), values.size_bytes(), cudaMemcpyHostToDevice);
  }
  template <class T>
  void download(const T* from, std::span<T> values) const {
    on->copy(values.data(), from, values.size_bytes(), cudaMemcpyDeviceToHost);
  }
  template <class Kernel>
  void for_each(int count, const Kernel& kernel) const {
    cuda::for_each(*on, count, kernel);
  }
  std::shared_ptr<std::byte[]> messages(std::size_t bytes, message_memory stand) const {
    return stand == message_memory::on_device ? memory_of_device(bytes) : page_locked_memory(bytes);
  }
};

}  // namespace rednova::exec::cuda
