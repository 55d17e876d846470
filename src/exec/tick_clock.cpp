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

const tick_clock counter(tick_clock::source::counter);
const clock_reading at_start = clock_reading::now(counter);

/// A reading is off by some 20 ns: in 10 ms, by 4e-6 of the rate.
double rate_of_the_counter() {
  constexpr std::int64_t long_enough = 10'000'000;  // ns
  const std::int64_t age = steady_ns() - at_start.ns;
  if (age < long_enough) std::this_thread::sleep_for(std::chrono::nanoseconds(long_enough - age));
  const clock_reading now = clock_reading::now(counter);
  return 1e-9 * static_cast<double>(now.ns - at_start.ns) / static_cast<double>(now.ticks - at_start.ticks);
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
  if (c.from() == tick_clock::source::counter) readings_.push_back(at_start);
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
