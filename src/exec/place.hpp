// Places where kernels run and where the numbers stay that they work on: this is the processor's, cuda/place.hpp a
// device's. What is written for a Place runs on both.
//
// A Place is a handle that is copied, with
//   array<T>: memory for as many T as its constructor is told, with data() and size(), which moves;
//   copy_of(std::vector<T>): such an array with these values;
//   upload(T* to, std::span<const T>), download(const T* from, std::span<T>): copies from and to the host, done on
//     return;
//   pinned(place, memory, bytes): while such an object lives, copies from and to that memory of the host are fast;
//   for_each(count, kernel): kernel(i) for i = 0 … count-1;
//   mark: made for a place; set() puts it behind all that the place has been told so far, wait() returns when that is
//     done. One that was not set is not waited for;
//   letters(bytes, letters_stand): memory for messages between ranks (letter_memory in exec/mailbox.hpp), which
//     kernels read and write in its place.
// What it is told is done in the order of the calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "exec/macros.hpp"
#include "exec/mailbox.hpp"

namespace rednova::exec {

/// The processor as a place, one thread for all: meant for testing what a device does where there is none.
struct processor_place {
  /// A device's memory holds anything: what is read before it is written shows.
  template <class T>
  struct array : std::vector<T> {
    array() = default;
    explicit array(std::size_t n) : std::vector<T>(n, unset()) {}
    explicit array(std::vector<T> values) : std::vector<T>(std::move(values)) {}
    array(array&&) noexcept = default;
    array& operator=(array&&) noexcept = default;
    static T unset() {
      if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
      return T();
    }
  };
  struct pinned {
    pinned() = default;
    pinned(const processor_place&, void*, std::size_t) {}
  };
  template <class T>
  array<T> copy_of(std::vector<T> values) const {
    return array<T>(std::move(values));
  }
  template <class T>
  void upload(T* to, std::span<const T> values) const {
    std::ranges::copy(values, to);
  }
  template <class T>
  void download(const T* from, std::span<T> values) const {
    std::copy_n(from, values.size(), values.begin());
  }
  template <class Kernel>
  void for_each(int count, const Kernel& kernel) const {
    for (int i = 0; i < count; ++i) kernel(i);
  }
  /// All is done as soon as it is told.
  struct mark {
    explicit mark(const processor_place&) {}
    void set() {}
    void wait() const {}
  };
  std::shared_ptr<std::byte[]> letters(std::size_t bytes, letters_stand) const {
    auto memory = host_memory(bytes);
    std::fill_n(reinterpret_cast<double*>(memory.get()), bytes / sizeof(double), array<double>::unset());
    return memory;
  }
};

/// Runs a kernel with so many threads for each of `count` things, in as many launches as their numbers ask for.
/// kernel_from(first): the kernel for those from `first` on.
template <class Place, class KernelFrom>
void for_each_of(const Place& where, int count, int threads_each, const KernelFrom& kernel_from) {
  const int most = std::numeric_limits<int>::max() / threads_each;
  for (int first = 0; first < count; first += most)
    where.for_each(std::min(most, count - first) * threads_each, kernel_from(first));
}

struct copy_numbers {
  const double* from;
  double* to;

  REDNOVA_FN void operator()(int i) const { to[i] = from[i]; }
};

/// Copies `count` numbers from one of a place's arrays to another.
template <class Place>
void copy_within(const Place& where, const double* from, double* to, std::size_t count) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  for (std::size_t first = 0; first < count; first += most)
    where.for_each(static_cast<int>(std::min(most, count - first)), copy_numbers{from + first, to + first});
}

}  // namespace rednova::exec
