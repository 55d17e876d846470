// Contiguous memory on a CUDA device, and the copies to and from it.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "exec/cuda/device.hpp"

namespace rednova::exec::cuda {

/// Memory for n values of T on the device, not initialised. Kernels take its data() as a plain pointer.
///
/// It comes from the device's pool and goes back there without a wait (context::memory): what was launched before still
/// has it, what is launched after that may get it.
template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T>, "what travels to a device is copied byte by byte");

 public:
  array() = default;
  explicit array(std::size_t n) : size_(n) {
    if (n == 0) return;
    check(cudaMallocAsync(reinterpret_cast<void**>(&data_), n * sizeof(T), context::memory()), "cudaMallocAsync");
  }
  array(array&& b) noexcept : data_(std::exchange(b.data_, nullptr)), size_(std::exchange(b.size_, 0)) {}
  array& operator=(array&& b) noexcept {
    std::swap(data_, b.data_);
    std::swap(size_, b.size_);
    return *this;
  }
  ~array() {
    if (data_ != nullptr) cudaFreeAsync(data_, context::memory());
  }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }

  /// Copies values of the same number from the host; done, for the host, on return.
  void copy_from(const context& context, std::span<const T> values) {
    EXPECT(values.size() == size_);
    context.copy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice);
  }
  /// The values on the host, after all work launched before.
  std::vector<T> to_host(const context& context) const {
    std::vector<T> values(size_);
    context.copy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Memory on the device with these values of the host's.
template <class T>
array<T> on_device(const context& context, const std::vector<T>& values) {
  array<T> copy(values.size());
  copy.copy_from(context, values);
  return copy;
}

}  // namespace rednova::exec::cuda
