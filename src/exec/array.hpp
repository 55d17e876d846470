// Contiguous memory for numbers, aligned for the widest vector load.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace rednova::exec {

template <class T>
struct aligned_allocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  aligned_allocator() = default;
  template <class U>
  aligned_allocator(const aligned_allocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  friend bool operator==(const aligned_allocator&, const aligned_allocator&) { return true; }
};

template <class T>
using array = std::vector<T, aligned_allocator<T>>;

}  // namespace rednova::exec
