// An execution space (exec/space.hpp) on the host that is as strict as a device: what goes unpunished where kernels run
// at once, in order, on the host's own memory ends a test here.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <system_error>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "exec/mailbox.hpp"
#include "exec/profile.hpp"

namespace rednova::exec::test {

/// The memory and the queue of the one checking device of a process, as the runtime of a real device has them: an array
/// asks for memory without naming a place. One thread uses it.
///
/// - The host cannot touch the memory: its pages are open while queued work runs, and at no other time. Whoever does
///   gets a segmentation fault, which ends the program.
/// - Work runs when the host waits, and not before.
/// - Memory is gone for what is launched after it was freed; what was launched before still has it, as where
///   cudaFreeAsync frees it. Its addresses are not used again.
class checking_device final : public profile::running_observer {
 public:
  static checking_device& get() {
    static checking_device one;
    return one;
  }
  checking_device(const checking_device&) = delete;
  checking_device& operator=(const checking_device&) = delete;
  ~checking_device() override { munmap(memory_, reserved); }

  /// Whole pages, every byte 255: no number, -1, or a pointer to nowhere.
  char* allocate(std::size_t bytes) {
    const std::size_t size = (bytes + page_ - 1) / page_ * page_;
    EXPECT(size <= reserved - used_);
    char* const first = memory_ + used_;
    used_ += size;
    set(first, size, PROT_READ | PROT_WRITE);
    std::memset(first, 255, size);
    set(first, size, PROT_NONE);
    live_[first] = size;
    return first;
  }
  void free(char* first) {
    EXPECT(live_.contains(first));
    if (queue_.empty()) {
      close(first);
    } else {
      queue_.push_back({[this, first] { close(first); }, "", 0});
    }
  }
  /// Puts work at the end of the queue.
  void launch(std::function<void()> work, std::string name) {
    EXPECT(!running_);
    queue_.push_back({std::move(work), std::move(name), task_});
  }
  /// Runs what is in the queue.
  void wait() {
    if (queue_.empty()) return;
    protect(PROT_READ | PROT_WRITE);
    running_ = true;
    for (const launched& one : queue_) {
      const std::int64_t start = steady_ns();
      one.work();
      if (noted_in_ != nullptr && !one.name.empty())
        noted_in_->note_on_device(0, one.name, start, steady_ns(), one.task);
    }
    running_ = false;
    queue_.clear();
    protect(PROT_NONE);
  }
  /// The numbers 0 … count-1 in an order that is the same each time and otherwise as good as any: runs of numbers that
  /// share memory stay together, for speed, scattered among each other and in themselves.
  std::shared_ptr<const std::vector<int>> order(int count, unsigned seed) {
    constexpr int run = 64;
    auto& known = orders_[{count, seed}];
    if (known != nullptr) return known;
    std::mt19937 random(seed + static_cast<unsigned>(count));
    std::vector<int> runs(static_cast<std::size_t>((count - 1) / run + 1)), all;
    std::iota(runs.begin(), runs.end(), 0);
    std::ranges::shuffle(runs, random);
    for (const int r : runs) {
      const std::ptrdiff_t before = std::ssize(all);
      for (int i = r * run; i < std::min(count, (r + 1) * run); ++i) all.push_back(i);
      std::shuffle(all.begin() + before, all.end(), random);
    }
    return known = std::make_shared<const std::vector<int>>(std::move(all));
  }

  /// As exec/cuda/activity_log.hpp: what is launched from here on is noted, under the task that the host is at then.
  /// Null: no more.
  void trace_to(profile* to) {
    wait();
    if (noted_in_ != nullptr) noted_in_->tell_running(nullptr);
    noted_in_ = to;
    task_ = 0;
    if (to == nullptr) return;
    to->tell_running(this);
    task_ = to->running();
  }
  void runs(std::uint32_t id) override { task_ = id; }

 private:
  struct launched {
    std::function<void()> work;
    std::string name;  // "": nothing of a device's queue
    std::uint32_t task;
  };
  /// Other pages in place of these: they give their memory back and stay closed.
  void close(char* first) {
    const auto found = live_.find(first);
    if (mmap(first, found->second, PROT_NONE, flags | MAP_FIXED, -1, 0) == MAP_FAILED) fail("mmap");
    live_.erase(found);
  }

  static constexpr std::size_t reserved = std::size_t{1} << 36;  // addresses, which cost nothing
  static constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

  checking_device() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* const all = mmap(nullptr, reserved, PROT_NONE, flags, -1, 0);
    if (all == MAP_FAILED) fail("mmap");
    memory_ = static_cast<char*>(all);
  }
  [[noreturn]] static void fail(const char* call) { throw std::system_error(errno, std::generic_category(), call); }
  static void set(char* first, std::size_t size, int protection) {
    if (mprotect(first, size, protection) != 0) fail("mprotect");
  }
  /// Of all arrays that live; a call for those that stand side by side.
  void protect(int protection) const {
    for (auto i = live_.begin(); i != live_.end();) {
      char *const first = i->first, *last = first;
      for (; i != live_.end() && i->first == last; ++i) last += i->second;
      set(first, static_cast<std::size_t>(last - first), protection);
    }
  }

  std::size_t page_;
  char* memory_ = nullptr;
  std::size_t used_ = 0;
  std::map<char*, std::size_t> live_;
  std::vector<launched> queue_;
  profile* noted_in_ = nullptr;
  std::uint32_t task_ = 0;
  bool running_ = false;
  std::map<std::pair<int, unsigned>, std::shared_ptr<const std::vector<int>>> orders_;
};

/// The checking device as an execution space. Kernels are copied when they are launched, run when the host waits, and
/// take their indices in a scattered order. A pointer that a kernel has to the host's memory is not found out.
struct checking_space {
  unsigned seed = 1;  ///< of the order of indices

  template <class T>
  class array {
    static_assert(std::is_trivially_copyable_v<T>, "what travels to a device is copied byte by byte");

   public:
    array() = default;
    explicit array(std::size_t n) : size_(n) {
      if (n > 0) data_ = reinterpret_cast<T*>(checking_device::get().allocate(n * sizeof(T)));
    }
    array(array&& b) noexcept : data_(std::exchange(b.data_, nullptr)), size_(std::exchange(b.size_, 0)) {}
    array& operator=(array&& b) noexcept {
      std::swap(data_, b.data_);
      std::swap(size_, b.size_);
      return *this;
    }
    ~array() {
      if (data_ != nullptr) checking_device::get().free(reinterpret_cast<char*>(data_));
    }
    std::size_t size() const { return size_; }
    T* data() { return data_; }
    const T* data() const { return data_; }

   private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
  };
  struct pinned {
    pinned() = default;
    pinned(const checking_space&, void*, std::size_t) {}
  };
  /// Done with all that was launched, whether before the mark or after it.
  struct device_event {
    explicit device_event(const checking_space&) {}
    void set() { waits = true; }
    void wait() const {
      if (waits) checking_device::get().wait();
    }
    bool waits = false;
  };
  /// Memory of the host, as page-locked memory is.
  std::shared_ptr<std::byte[]> messages(std::size_t bytes, message_memory) const {
    auto memory = host_memory(bytes);
    std::memset(memory.get(), 255, bytes);
    return memory;
  }

  template <class T>
  array<T> copy_of(const std::vector<T>& values) const {
    array<T> copy(values.size());
    upload(copy.data(), std::span<const T>(values));
    return copy;
  }
  template <class T>
  void upload(T* to, std::span<const T> values) const {
    if (values.empty()) return;
    later([=] { std::memcpy(to, values.data(), values.size_bytes()); }, "copy to the device");
    wait();
  }
  template <class T>
  void download(const T* from, std::span<T> values) const {
    if (values.empty()) return;
    later([=] { std::memcpy(values.data(), from, values.size_bytes()); }, "copy to the host");
    wait();
  }
  template <class Kernel>
  void for_each(int count, const Kernel& kernel) const {
    static_assert(std::is_trivially_copyable_v<Kernel>, "what travels to a device is copied byte by byte");
    EXPECT(count >= 0);
    if (count == 0) return;
    later(
        [kernel, order = checking_device::get().order(count, seed)] {
          for (const int i : *order) kernel(i);
        },
        typeid(Kernel).name());
  }
  /// Puts work in the queue that is no kernel of for_each; what it captures is copied now.
  template <class Work>
  void later(const Work& work, const char* name = typeid(Work).name()) const {
    checking_device::get().launch(work, name);
  }
  /// Returns when all work launched so far is done.
  void wait() const { checking_device::get().wait(); }
};

}  // namespace rednova::exec::test
