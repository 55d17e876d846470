#include "exec/profile.hpp"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace rednova::exec {

namespace {

constexpr double nanosecond = 1e-9;

template <class T>
T get(const std::atomic<T>& a) {
  return a.load(std::memory_order_relaxed);
}
/// One thread alone writes.
template <class T>
void set(std::atomic<T>& a, T value) {
  a.store(value, std::memory_order_relaxed);
}

}  // namespace

struct profile::row {
  std::atomic<const char*> phase{nullptr};
  std::atomic<activity> what{activity::work};
  std::atomic<std::int64_t> calls{0}, own{0}, longest{0};  // times in ns
};

struct alignas(64) profile::thread_log {
  static constexpr std::size_t rows = 256;  // phases have some thirty names
  std::array<row, rows> all;
  scope* innermost = nullptr;

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

profile::profile(int threads) {
  for (int slot = 0; slot < std::max(1, threads); ++slot) logs_.push_back(std::make_unique<thread_log>());
}

profile::~profile() = default;

void profile::add(std::string_view phase, double seconds) {
  const std::scoped_lock lock(guard_);
  auto found = elsewhere_.find(phase);
  if (found == elsewhere_.end()) found = elsewhere_.emplace(phase, entry{}).first;
  found->second.seconds += seconds;
  found->second.longest = std::max(found->second.longest, seconds);
  ++found->second.calls;
}

profile::table profile::entries() const {
  table sums;
  for (const auto& log : logs_) {
    for (const row& r : log->all) {
      const char* const phase = r.phase.load(std::memory_order_acquire);
      if (phase == nullptr || get(r.calls) == 0) continue;
      entry& sum = sums[phase];
      sum.seconds += nanosecond * static_cast<double>(get(r.own));
      sum.calls += get(r.calls);
      sum.longest = std::max(sum.longest, nanosecond * static_cast<double>(get(r.longest)));
      sum.what = get(r.what);
    }
  }
  return sums;
}

profile::table profile::elsewhere() const {
  const std::scoped_lock lock(guard_);
  return elsewhere_;
}

std::vector<std::array<double, 2>> profile::threads() const {
  std::vector<std::array<double, 2>> times;
  for (const auto& log : logs_) {
    std::array<double, 2> sum{};
    for (const row& r : log->all)
      sum[static_cast<std::size_t>(get(r.what))] += nanosecond * static_cast<double>(get(r.own));
    times.push_back(sum);
  }
  return times;
}

double profile::seconds() const { return std::chrono::duration<double>(clock::now() - start_).count(); }

double profile::waiting() const {
  const double whole = seconds();
  const auto all = threads();
  double sum = 0;
  for (std::size_t slot = 0; slot < all.size(); ++slot) {
    const auto [work, wait] = all[slot];
    sum += slot == 0 ? wait : std::max(0.0, whole - work);
  }
  return sum / static_cast<double>(all.size());
}

void profile::clear() {
  for (const auto& log : logs_) {
    for (row& r : log->all) {
      for (auto* number : {&r.calls, &r.own, &r.longest}) set(*number, std::int64_t{0});
    }
  }
  const std::scoped_lock lock(guard_);
  elsewhere_.clear();
  start_ = clock::now();
}

void profile::scope::begin(profile& p, const char* phase, activity what) {
  const int slot = oneapi::tbb::this_task_arena::current_thread_index();
  const std::size_t own = std::min(static_cast<std::size_t>(std::max(0, slot)), p.logs_.size() - 1);
  log_ = p.logs_[own].get();
  around_ = log_->innermost;
  log_->innermost = this;
  phase_ = phase;
  what_ = what;
  start_ = clock::now();
}

void profile::scope::end() {
  const std::int64_t whole = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - start_).count();
  row& r = log_->of(phase_, what_);
  set(r.calls, get(r.calls) + 1);
  set(r.own, get(r.own) + whole - within_);
  if (whole > get(r.longest)) set(r.longest, whole);
  if (around_ != nullptr) around_->within_ += whole;
  log_->innermost = around_;
}

}  // namespace rednova::exec
