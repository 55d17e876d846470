#include "exec/tick_clock.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string_view>
#include <thread>

#include "core/check.hpp"

namespace rednova::exec {

namespace {

/// Where the rate and all lines begin: the first call in the process.
const clock_reading& first_of_the_counter() {
  static const clock_reading first = clock_reading::now(tick_clock(tick_clock::source::counter));
  return first;
}

/// A reading is off by some 20 ns: in 10 ms, by 4e-6 of the rate.
double rate_of_the_counter() {
  constexpr std::int64_t long_enough = 10'000'000;  // ns
  const clock_reading& first = first_of_the_counter();
  const std::int64_t age = steady_ns() - first.ns;
  if (age < long_enough) std::this_thread::sleep_for(std::chrono::nanoseconds(long_enough - age));
  const clock_reading now = clock_reading::now(tick_clock(tick_clock::source::counter));
  return 1e-9 * static_cast<double>(now.ns - first.ns) / static_cast<double>(now.ticks - first.ticks);
}

}  // namespace

bool tick_clock::trusted(const std::string& file) {
  std::ifstream in(file);
  std::string name;
  return has_counter && std::getline(in, name) && name == "tsc";
}

tick_clock tick_clock::best() {
  const char* const asked = std::getenv("REDNOVA_CLOCK");
  if (asked == nullptr) return tick_clock(trusted() ? source::counter : source::steady);
  if (std::string_view(asked) == "steady") return tick_clock(source::steady);
  core::fail("REDNOVA_CLOCK is \"{}\": it may be \"steady\", or not set", asked);
}

double tick_clock::seconds_of_a_tick() const {
  if (from_ == source::steady) return 1e-9;
  static const double rate = rate_of_the_counter();
  return rate;
}

clock_reading clock_reading::now(const tick_clock& c) {
  constexpr int tries = 8;
  clock_reading best{};
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < tries; ++i) {
    const std::int64_t before = c.ordered(), ns = steady_ns(), took = c.ordered() - before;
    if (took >= least) continue;
    least = took;
    best = {before + took / 2, ns};
  }
  return best;
}

steady_line::steady_line(const tick_clock& c) : clock_(c) {
  if (c.from() == tick_clock::source::counter) readings_.push_back(first_of_the_counter());
}

void steady_line::read() {
  if (clock_.from() == tick_clock::source::steady) return;
  readings_.push_back(clock_reading::now(clock_));
  if (readings_.size() < most_readings) return;
  // Of the older half every second one will do: few records reach back so far.
  std::size_t kept = 1;
  for (std::size_t i = 2; i < most_readings / 2; i += 2) readings_[kept++] = readings_[i];
  readings_.erase(readings_.begin() + static_cast<std::ptrdiff_t>(kept), readings_.begin() + most_readings / 2);
}

std::int64_t steady_line::ns(std::int64_t ticks) const {
  if (clock_.from() == tick_clock::source::steady) return ticks;
  const auto later = std::ranges::upper_bound(readings_, ticks, {}, &clock_reading::ticks);
  if (later == readings_.begin() || later == readings_.end()) {
    const clock_reading& near = later == readings_.begin() ? readings_.front() : readings_.back();
    return near.ns + std::llround(1e9 * clock_.seconds(ticks - near.ticks));
  }
  const clock_reading &a = *(later - 1), &b = *later;
  const double share = static_cast<double>(ticks - a.ticks) / static_cast<double>(b.ticks - a.ticks);
  return a.ns + std::llround(share * static_cast<double>(b.ns - a.ns));
}

}  // namespace rednova::exec
