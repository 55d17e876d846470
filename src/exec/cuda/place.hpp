// A CUDA device as a place (exec/place.hpp). Only sources that nvcc compiles include this.
#pragma once

#include <span>
#include <vector>

#include "exec/cuda/for_each.hpp"
#include "exec/cuda/pinned.hpp"

namespace rednova::exec::cuda {

/// The device of a context, and its queue.
struct place {
  template <class T>
  using array = cuda::array<T>;
  using pinned = cuda::pinned;

  const context* where;

  operator const context&() const { return *where; }
  template <class T>
  array<T> copy_of(const std::vector<T>& values) const {
    return on_device(*where, values);
  }
  template <class T>
  void upload(T* to, std::span<const T> values) const {
    if (values.empty()) return;
    check(cudaMemcpyAsync(to, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, where->stream()),
          "cudaMemcpyAsync");
    where->wait();
  }
  template <class T>
  void download(const T* from, std::span<T> values) const {
    if (values.empty()) return;
    check(cudaMemcpyAsync(values.data(), from, values.size_bytes(), cudaMemcpyDeviceToHost, where->stream()),
          "cudaMemcpyAsync");
    where->wait();
  }
  template <class Kernel>
  void for_each(int count, const Kernel& kernel) const {
    cuda::for_each(*where, count, kernel);
  }
};

}  // namespace rednova::exec::cuda
