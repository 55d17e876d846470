// What a thread notes of a scope or a message where a trace is asked for, and the memory that it notes it in.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace rednova::exec {

/// In ns, as records have them.
inline std::int64_t steady_ns(std::chrono::steady_clock::time_point at = std::chrono::steady_clock::now()) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count();
}

/// One thing that happened on a thread, or to it. 32 bytes, as they lie in a file.
struct trace_record {
  enum class kind : std::uint8_t { work, wait, sent, received };

  std::int64_t start;   ///< ns of the steady clock; in a thread's ring ticks of the profile's, as is a scope's end
  std::int64_t end;     ///< of a scope; of a message message_end()
  std::uint32_t id;     ///< of a task or a message, among those of this rank of late; 0: none
  std::uint32_t cause;  ///< the id of what made a task ready, or posted a message; 0: not known
  std::int32_t other;   ///< of a task its number in its list, of a message the peer, else -1
  std::uint16_t name;   ///< of the phase or the mailbox, in the thread's list of names
  kind what;
  std::uint8_t depth;  ///< scopes around it

  bool message() const { return what == kind::sent || what == kind::received; }
  /// A message's number, the same on both ends, and its bytes.
  static std::int64_t message_end(std::uint32_t number, std::size_t bytes) {
    return static_cast<std::int64_t>(bytes << 32U | number);
  }
  /// Of the k-th message of a channel, from 0 on, of a mailbox of that number. Numbers come again after a million
  /// messages of a channel, or 4096 mailboxes.
  static std::uint32_t message_number(int mailbox, std::int64_t k) {
    constexpr unsigned bits = 12;
    return static_cast<std::uint32_t>(k) << bits | (static_cast<std::uint32_t>(mailbox) & ((1U << bits) - 1));
  }
  std::uint32_t number() const { return static_cast<std::uint32_t>(end); }
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(end) >> 32U; }
};
static_assert(sizeof(trace_record) == 32);

/// Records of one thread on their way to another, without a lock: one writes, one reads. What does not fit is counted
/// and lost.
class trace_ring {
 public:
  static constexpr std::size_t size = std::size_t{1} << 15U;

  void push(const trace_record& r) {
    const std::size_t at = written_.load(std::memory_order_relaxed);
    if (at - read_.load(std::memory_order_acquire) == size) {
      lost_.store(lost_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return;
    }
    records_[at % size] = r;
    written_.store(at + 1, std::memory_order_release);
  }
  /// How many records were written so far.
  std::size_t written() const { return written_.load(std::memory_order_acquire); }
  /// Calls take(records) once or twice with what was written since, the oldest first; it may change them. `to` is what
  /// written() has said.
  template <class Take>
  void drain(std::size_t to, const Take& take) {
    std::size_t from = read_.load(std::memory_order_relaxed);
    while (from != to) {
      const std::size_t first = from % size, count = first + (to - from) > size ? size - first : to - from;
      take(std::span<trace_record>(&records_[first], count));
      from += count;
      read_.store(from, std::memory_order_release);
    }
  }
  std::int64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  std::unique_ptr<trace_record[]> records_ = std::make_unique<trace_record[]>(size);
  std::atomic<std::size_t> written_{0}, read_{0};
  std::atomic<std::int64_t> lost_{0};
};

}  // namespace rednova::exec
