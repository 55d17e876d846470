// What each thread writes of a profile, and each queue of a device of a trace. For profile.cpp and profile_trace.cpp.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exec/profile.hpp"

namespace rednova::exec {

template <class T>
T get(const std::atomic<T>& a) {
  return a.load(std::memory_order_relaxed);
}
/// One thread alone writes.
template <class T>
void set(std::atomic<T>& a, T value) {
  a.store(value, std::memory_order_relaxed);
}

struct alignas(64) profile::row {  // one line of the cache, not two
  std::atomic<const char*> phase{nullptr};
  std::atomic<activity> what{activity::work};
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> calls{0}, own{0}, longest{0}, shortest{never};  // times in ticks

  void add(std::int64_t whole, std::int64_t mine) {
    set(own, get(own) + mine);
    if (whole > get(longest)) set(longest, whole);
    if (whole < get(shortest)) set(shortest, whole);
    set(calls, get(calls) + 1);
  }
};

struct alignas(64) profile::thread_log {
  explicit thread_log(const tick_clock& c) : clock(c) {}

  static constexpr std::size_t rows = 256;  // phases have some thirty names
  std::array<row, rows> all;
  tick_clock clock;
  scope* innermost = nullptr;
  task_scope* innermost_task = nullptr;         // of those that are traced
  std::atomic<std::int64_t> free{clock.now()};  // since when no scope is open, in ticks; 0: one is
  // The innermost scope, and since when: for who looks meanwhile. Null: none.
  std::atomic<const char*> open{nullptr};
  std::atomic<activity> open_as{activity::work};
  std::atomic<std::int64_t> open_since{0};
  std::unique_ptr<trace_ring> ring;  // where a trace was started
  std::atomic<bool> noting{false};   // scopes, in the ring
  std::int64_t shortest_noted = 0;   // ticks
  std::uint32_t running = 0, made = 0, slot = 0, random = 0;

  /// Of a task or message: numbers that come again after some millions, apart for each thread.
  std::uint32_t next_id() {
    constexpr std::uint32_t numbers = std::uint32_t{1} << 22U;
    made = made + 1 == numbers ? 1 : made + 1;
    return slot * numbers + made;
  }
  /// True for that share of calls, at random: every n-th of tasks that come in a cycle would be the same ones.
  bool pick(double share) {
    constexpr double numbers = 1U << 24U;
    random = random * 747796405U + 2891336453U;  // a linear congruence of full period; its upper bits are the better
    return (random >> 8U) < share * numbers;
  }
  std::uint16_t name_of(const row& r) const { return static_cast<std::uint16_t>(&r - all.data()); }

  /// Who sees the phase sees the time, or a later one.
  void set_open(const char* phase, activity what, std::int64_t since) {
    set(open_since, since);
    set(open_as, what);
    open.store(phase, std::memory_order_release);
  }
  struct open_scope {
    const char* phase;
    activity what;
    double seconds;
  };
  /// What the innermost scope has had to itself since it was the innermost, or since `start`.
  open_scope innermost_now(std::int64_t start) const {
    const char* const phase = open.load(std::memory_order_acquire);
    if (phase == nullptr) return {nullptr, activity::work, 0};
    const std::int64_t ticks = clock.now() - std::max(start, get(open_since));
    return {phase, get(open_as), clock.seconds(std::max(std::int64_t{0}, ticks))};
  }

  /// By the address of the name; names that are equal meet in entries().
  row& of(const char* phase, activity what) {
    std::size_t i = (reinterpret_cast<std::uintptr_t>(phase) >> 3U) % rows;
    for (std::size_t tried = 0; tried < rows; ++tried, i = (i + 1) % rows) {
      const char* const here = get(all[i].phase);
      if (here == phase) return all[i];
      if (here == nullptr) {
        set(all[i].what, what);
        all[i].phase.store(phase, std::memory_order_release);
        return all[i];
      }
    }
    return all[i];  // more names than rows: the last one shares
  }
};

struct profile::queue_log {
  std::map<std::string, std::uint16_t, std::less<>> numbers;
  std::vector<const char*> names;  // keys of numbers
  std::vector<trace_record> records;

  std::uint16_t number_of(std::string_view name) {
    auto found = numbers.find(name);
    if (found == numbers.end()) {
      found = numbers.emplace(name, static_cast<std::uint16_t>(names.size())).first;
      names.push_back(found->first.c_str());
    }
    return found->second;
  }
};

}  // namespace rednova::exec
