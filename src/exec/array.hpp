// Contiguous memory for numbers, aligned for the widest vector load.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
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

/// Memory that is zero, for which large arrays ask the system: it makes their pages when they are first written, so all
/// threads make them together, each near its own core, and not one thread at the array's birth. The pages are huge
/// where the system has such.
template <class T>
struct zeroed_allocator {
  static_assert(std::is_trivially_default_constructible_v<T>);
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  static constexpr std::size_t large = std::size_t{4} << 20U;  // bytes: two huge pages

  zeroed_allocator() = default;
  template <class U>
  zeroed_allocator(const zeroed_allocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < large) return static_cast<T*>(std::memset(::operator new(bytes, alignment), 0, bytes));
    void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    madvise(p, bytes, MADV_HUGEPAGE);  // without it the pages are small ones
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t n) {
    if (n * sizeof(T) < large) {
      ::operator delete(p, alignment);
    } else {
      munmap(p, n * sizeof(T));
    }
  }
  /// What allocate() gives is zero already.
  template <class U>
  void construct(U*) {}
  template <class U, class... Values>
  void construct(U* p, Values&&... values) {
    ::new (static_cast<void*>(p)) U(std::forward<Values>(values)...);
  }
  friend bool operator==(const zeroed_allocator&, const zeroed_allocator&) { return true; }
};

/// A vector of numbers that are zero where it is made with a size. What resize() adds within its capacity is not
/// specified.
template <class T>
using zeroed_array = std::vector<T, zeroed_allocator<T>>;

}  // namespace rednova::exec
