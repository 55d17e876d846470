// A CUDA device as a place (exec/place.hpp). Only sources that nvcc compiles include this.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "exec/cuda/for_each.hpp"
#include "exec/cuda/letters.hpp"
#include "exec/cuda/pinned.hpp"
#include "exec/mailbox.hpp"

namespace rednova::exec::cuda {

/// The device of a context, and its queue.
struct place {
  template <class T>
  using array = cuda::array<T>;
  using mark = cuda::mark;
  using pinned = cuda::pinned;

  const context* where;

  operator const context&() const { return *where; }
  template <class T>
  array<T> copy_of(const std::vector<T>& values) const {
    return on_device(*where, values);
  }
  template <class T>
  void upload(T* to, std::span<const T> values) const {
    where->copy(to, values.data(), values.size_bytes(), cudaMemcpyHostToDevice);
  }
  template <class T>
  void download(const T* from, std::span<T> values) const {
    where->copy(values.data(), from, values.size_bytes(), cudaMemcpyDeviceToHost);
  }
  template <class Kernel>
  void for_each(int count, const Kernel& kernel) const {
    cuda::for_each(*where, count, kernel);
  }
  std::shared_ptr<std::byte[]> letters(std::size_t bytes, letters_stand stand) const {
    return stand == letters_stand::on_device ? memory_of_device(bytes) : page_locked_memory(bytes);
  }
};

}  // namespace rednova::exec::cuda
