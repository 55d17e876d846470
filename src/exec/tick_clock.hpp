// The clock of profile and trace: a counter of the processor's where the system keeps its own time by that, which is
// read in less than half the time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exec/trace_record.hpp"

namespace rednova::exec {

/// Times in ticks: of the time stamp counter, or ns of the steady clock. One rate holds for a process, so that equal
/// numbers of ticks are equal times.
class tick_clock {
 public:
  enum class source : std::uint8_t { counter, steady };
#if defined(__x86_64__)
  static constexpr bool has_counter = true;
#else
  static constexpr bool has_counter = false;
#endif

  /// `counter` is for where trusted() says so.
  explicit tick_clock(source from) : from_(from) {}
  /// The counter where the system trusts it, unless REDNOVA_CLOCK is "steady". Another value is an error.
  static tick_clock best();
  /// True if the system takes its own time from the counter: it then runs at one rate, in all states of the processor,
  /// and is the same on all cores. The file has the name of what the system's time comes from.
  static bool trusted(const std::string& file = "/sys/devices/system/clocksource/clocksource0/current_clocksource");

  /// The processor may read the counter before it has done what comes before in the program, by a few hundred
  /// instructions: where another thread's time is compared, ordered().
  std::int64_t now() const {
#if defined(__x86_64__)
    if (from_ == source::counter) {
      std::uint64_t low = 0, high = 0;
      asm volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
      return static_cast<std::int64_t>(high << 32U | low);
    }
#endif
    return steady_ns();
  }
  /// Not before all that comes before in the program.
  std::int64_t ordered() const {
#if defined(__x86_64__)
    if (from_ == source::counter) {
      asm volatile("lfence" : : : "memory");
      return now();
    }
#endif
    return steady_ns();
  }

  /// To 1e-5 of what the steady clock would say, as that ran at first. The first call in a process waits until its
  /// first profile is 10 ms old, to know the counter's rate.
  double seconds(std::int64_t ticks) const { return seconds_of_a_tick() * static_cast<double>(ticks); }
  double seconds_of_a_tick() const;
  source from() const { return from_; }
  const char* name() const { return from_ == source::counter ? "time stamp counter" : "steady clock"; }

 private:
  source from_;
};

/// The same moment by both clocks.
struct clock_reading {
  std::int64_t ticks, ns;

  /// Of some tries the one that took the least time.
  static clock_reading now(const tick_clock& c);
};

/// From ticks to the steady clock, which all processes of a machine share: between readings in proportion, so that
/// neither the error of a rate nor the system's corrections of its clock add up.
class steady_line {
 public:
  explicit steady_line(const tick_clock& c);
  /// From time to time: later ticks than the last reading's go on at the clock's rate.
  void read();
  /// How many readings are kept.
  std::size_t readings() const { return readings_.size(); }
  /// Never decreases for ticks up to the last reading.
  std::int64_t ns(std::int64_t ticks) const;

 private:
  static constexpr std::size_t most_readings = 1 << 16;  // two hours of ten a second

  tick_clock clock_;
  std::vector<clock_reading> readings_;  // from the process's first profile on
};

}  // namespace rednova::exec
