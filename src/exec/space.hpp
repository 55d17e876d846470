// Execution spaces: where kernels run, with the memory that they work on. This one is the host's, cuda/space.hpp a
// device's. Code that is a template on Space runs on both.
//
// A Space is a handle that is passed by value, with
//   array<T>: memory for as many T as its constructor is told, with data() and size(), which moves;
//   copy_of(std::vector<T>): such an array with these values;
//   upload(T* to, std::span<const T>), download(const T* from, std::span<T>): copies from and to the host, done on
//     return;
//   pinned(space, memory, bytes): while such an object lives, copies from and to that memory of the host are fast;
//   for_each(count, kernel): kernel(i) for i = 0 … count-1;
//   device_event(space): set() records it behind all work that was queued so far, wait() returns when that work is
//     done, at once if the event was never set;
//   messages(bytes, message_memory): memory for messages between ranks (make_message_memory in exec/mailbox.hpp), which
//     kernels read and write in its place.
// Calls take effect in their order.
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

/// One thread of the host: for testing the code of a device where there is none.
struct host_space {
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
    pinned(const host_space&, void*, std::size_t) {}
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
  /// Nothing is queued here.
  struct device_event {
    explicit device_event(const host_space&) {}
    void set() {}
    void wait() const {}
  };
  std::shared_ptr<std::byte[]> messages(std::size_t bytes, message_memory) const {
    auto memory = host_memory(bytes);
    std::fill_n(reinterpret_cast<double*>(memory.get()), bytes / sizeof(double), array<double>::unset());
    return memory;
  }
};

/// Runs a kernel with so many threads for each of `count` things, in as many launches as their numbers ask for.
/// kernel_from(first): the kernel for those from `first` on.
template <class Space, class KernelFrom>
void for_each_of(const Space& space, int count, int threads_each, const KernelFrom& kernel_from) {
  const int most = std::numeric_limits<int>::max() / threads_each;
  for (int first = 0; first < count; first += most)
    space.for_each(std::min(most, count - first) * threads_each, kernel_from(first));
}

/// What one of an execution space's arrays holds.
template <class Space, class Array>
auto on_host(const Space& space, const Array& values) {
  using number = std::remove_cvref_t<decltype(*values.data())>;
  std::vector<number> copy(values.size());
  space.download(values.data(), std::span<number>(copy));
  return copy;
}

struct copy_numbers {
  const double* from;
  double* to;

  REDNOVA_FN void operator()(int i) const { to[i] = from[i]; }
};

/// Copies `count` numbers from one of an execution space's arrays to another.
template <class Space>
void copy_within(const Space& space, const double* from, double* to, std::size_t count) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  for (std::size_t first = 0; first < count; first += most)
    space.for_each(static_cast<int>(std::min(most, count - first)), copy_numbers{from + first, to + first});
}

}  // namespace rednova::exec
