#include "exec/profile.hpp"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.hpp"

namespace rednova::exec {

namespace {

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
  std::unique_ptr<trace_ring> ring;             // where a trace was started
  std::atomic<bool> noting{false};              // scopes, in the ring
  std::int64_t shortest_noted = 0;              // ticks
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

profile::profile(int threads, tick_clock clock) : clock_(clock), line_(clock) {
  for (int slot = 0; slot < std::max(1, threads); ++slot) {
    logs_.push_back(std::make_unique<thread_log>(clock));
    logs_.back()->slot = logs_.back()->random = static_cast<std::uint32_t>(slot);
  }
}

profile::~profile() = default;

void profile::add(std::string_view phase, double seconds) {
  const std::scoped_lock lock(guard_);
  auto found = elsewhere_.find(phase);
  if (found == elsewhere_.end()) found = elsewhere_.emplace(phase, entry{}).first;
  found->second.seconds += seconds;
  entry& e = found->second;
  e.longest = std::max(e.longest, seconds);
  e.shortest = e.calls == 0 ? seconds : std::min(e.shortest, seconds);
  ++e.calls;
}

profile::table profile::entries() const {
  table sums;
  for (const auto& log : logs_) {
    for (const row& r : log->all) {
      const char* const phase = r.phase.load(std::memory_order_acquire);
      if (phase == nullptr || get(r.calls) == 0) continue;
      entry& sum = sums[phase];
      const double shortest = clock_.seconds(get(r.shortest));
      sum.seconds += clock_.seconds(get(r.own));
      sum.shortest = sum.calls == 0 ? shortest : std::min(sum.shortest, shortest);
      sum.calls += get(r.calls);
      sum.longest = std::max(sum.longest, clock_.seconds(get(r.longest)));
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
    for (const row& r : log->all) sum[static_cast<std::size_t>(get(r.what))] += clock_.seconds(get(r.own));
    times.push_back(sum);
  }
  return times;
}

std::vector<double> profile::idle() const {
  std::vector<double> times;
  for (const auto& log : logs_) {
    const std::int64_t free = get(log->free);
    times.push_back(log->slot > 0 && free > 0 ? clock_.seconds(std::max(std::int64_t{0}, clock_.now() - free)) : 0);
  }
  return times;
}

std::int64_t profile::start() const {
  const clock_reading now = clock_reading::now(clock_);
  return now.ns - std::llround(1e9 * clock_.seconds(now.ticks - start_));
}

double profile::seconds() const { return clock_.seconds(clock_.now() - start_); }

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
  const std::scoped_lock lock(guard_);
  start_ = clock_.now();
  for (const auto& log : logs_) {
    for (row& r : log->all) {
      for (auto* number : {&r.calls, &r.own, &r.longest}) set(*number, std::int64_t{0});
      set(r.shortest, row::never);
    }
    if (get(log->free) != 0) set(log->free, start_);
  }
  elsewhere_.clear();
}

profile::thread_log& profile::own_log() const {
  const int slot = oneapi::tbb::this_task_arena::current_thread_index();
  return *logs_[std::min(static_cast<std::size_t>(std::max(0, slot)), logs_.size() - 1)];
}

void profile::start_trace(double share) {
  const double shortest = 1e-9 * static_cast<double>(shortest_traced) / clock_.seconds_of_a_tick();
  for (const auto& log : logs_) {
    log->ring = std::make_unique<trace_ring>();
    log->shortest_noted = std::llround(shortest);
  }
  share_asked_ = share;
  switch_to(detail::records);
}

void profile::switch_to(detail d) {
  on_ = d != detail::nothing;
  share_traced_ = d == detail::records ? share_asked_ : 0;
  for (const auto& log : logs_) log->noting.store(traced(), std::memory_order_release);
}

std::uint32_t profile::id_of_running() const { return own_log().running; }

std::uint32_t profile::exchange_running(thread_log& log, std::uint32_t id) {
  if (told_ != nullptr) told_->runs(id);
  return std::exchange(log.running, id);
}

void profile::set_running(std::uint32_t id) {
  if (traced()) exchange_running(own_log(), id);
}

void profile::suspend_task() {
  if (!traced()) return;
  task_scope* const at = own_log().innermost_task;
  if (at == nullptr) return;
  EXPECT(at->scope_.log_->innermost == &at->scope_);
  at->suspend();
  at->scope_.end();
}

void profile::resume_task(std::uint32_t cause) {
  if (!traced()) return;
  task_scope* const at = own_log().innermost_task;
  if (at == nullptr) return;
  const int number = at->scope_.number_;
  at->scope_.begin(*this, at->scope_.phase_, activity::work);
  at->resume(*this, cause, number);
}

std::uint32_t profile::note_message(trace_record::kind what, const char* mailbox, int peer, std::int64_t number,
                                    std::size_t bytes, std::uint32_t cause) {
  thread_log& log = own_log();
  const std::uint32_t id = log.next_id();
  const std::uint16_t name = log.name_of(log.of(mailbox, activity::work));
  log.ring->push({clock_.ordered(), trace_record::message_end(number, bytes), id, cause, peer, name, what, 0});
  return id;
}

void profile::note_on_device(int queue, std::string_view what, std::int64_t start, std::int64_t end,
                             std::uint32_t cause) {
  if (cause == 0 && share_traced_ < 1) return;
  const std::scoped_lock lock(guard_);
  const auto known = static_cast<std::size_t>(queue);
  while (queues_.size() <= known) queues_.push_back(std::make_unique<queue_log>());
  queue_log& log = *queues_[known];
  log.records.push_back({start, end, 0, cause, -1, log.number_of(what), trace_record::kind::work, 0});
}

void profile::drain(const std::function<void(int, std::span<const trace_record>)>& take) {
  std::vector<std::size_t> written;
  for (const auto& log : logs_) written.push_back(log->ring ? log->ring->written() : 0);
  line_.read();  // after all that is drained now
  for (const auto& log : logs_) {
    if (!log->ring) continue;
    log->ring->drain(written[log->slot], [&](std::span<trace_record> all) {
      for (trace_record& r : all) {
        r.start = line_.ns(r.start);
        if (!r.message()) r.end = line_.ns(r.end);
      }
      take(static_cast<int>(log->slot), all);
    });
  }
  std::vector<std::vector<trace_record>> of_queues;
  {
    const std::scoped_lock lock(guard_);
    for (const auto& queue : queues_) of_queues.push_back(std::exchange(queue->records, {}));
  }
  int slot = static_cast<int>(logs_.size());
  for (const std::vector<trace_record>& records : of_queues) {
    if (!records.empty()) take(slot, records);
    ++slot;
  }
}

std::vector<const char*> profile::names(int slot) const {
  const auto known = static_cast<std::size_t>(slot);
  if (known >= logs_.size()) {
    const std::scoped_lock lock(guard_);
    return queues_[known - logs_.size()]->names;
  }
  std::vector<const char*> all;
  for (const row& r : logs_[known]->all) {
    const char* const name = r.phase.load(std::memory_order_acquire);
    all.push_back(name != nullptr ? name : "");
  }
  return all;
}

std::int64_t profile::lost() const {
  std::int64_t sum = 0;
  for (const auto& log : logs_) sum += log->ring ? log->ring->lost() : 0;
  return sum;
}

void profile::task_scope::begin(profile& p, std::uint32_t cause, int number) {
  around_ = std::exchange(scope_.log_->innermost_task, this);
  resume(p, cause, number);
}

void profile::task_scope::resume(profile& p, std::uint32_t cause, int number) {
  thread_log& log = *scope_.log_;
  scope_.noted_ = log.pick(p.share_traced_);
  scope_.id_ = scope_.noted_ ? log.next_id() : 0;
  scope_.cause_ = cause;
  scope_.number_ = number;
  traced_in_ = &p;
  outer_ = p.exchange_running(log, scope_.id_);
  if (scope_.noted_) scope_.start_ = p.clock_.ordered();  // after what made it ready, on another thread perhaps
}

void profile::task_scope::end() {
  scope_.log_->innermost_task = around_;
  suspend();
}

void profile::task_scope::suspend() {
  traced_in_->exchange_running(*scope_.log_, outer_);
  traced_in_->last_task_.store(scope_.id_, std::memory_order_relaxed);
}

void profile::scope::begin(profile& p, const char* phase, activity what) {
  log_ = &p.own_log();
  around_ = log_->innermost;
  depth_ = around_ != nullptr ? static_cast<std::uint8_t>(around_->depth_ + 1) : std::uint8_t{0};
  noted_ = around_ == nullptr || around_->noted_;
  within_ = 0;
  log_->innermost = this;
  if (around_ == nullptr) {
    free_ = get(log_->free);
    set(log_->free, std::int64_t{0});
  }
  phase_ = phase;
  what_ = what;
  if (p.tool_ != nullptr && phase != phases::task) {
    tool_ = p.tool_;
    number_in_tool_ = tool_->begin(phase);
  }
  start_ = log_->clock.now();
}

/// The gap between two scopes of the same loop has no name.
void profile::scope::was_asked(std::int64_t asked) {
  if (log_->slot == 0 || free_ >= start_) return;
  if (asked == from_task) return log_->of(phases::picking, activity::work).add(start_ - free_, start_ - free_);
  const std::int64_t called = std::clamp(asked, free_, start_);
  if (called == free_) return;
  log_->of(phases::idle, activity::wait).add(called - free_, called - free_);
  log_->of(phases::waking_up, activity::wait).add(start_ - called, start_ - called);
}

void profile::scope::end() {
  const std::int64_t now = log_->clock.now();
  if (tool_ != nullptr) tool_->end(number_in_tool_);
  const std::int64_t whole = now - start_;
  row& r = log_->of(phase_, what_);
  r.add(whole, whole - within_);
  if (around_ != nullptr) around_->within_ += whole;
  log_->innermost = around_;
  if (around_ == nullptr) set(log_->free, now);
  if (!log_->noting.load(std::memory_order_acquire) || !noted_ || (whole < log_->shortest_noted && id_ == 0)) return;
  const auto kind = what_ == activity::wait ? trace_record::kind::wait : trace_record::kind::work;
  log_->ring->push({start_, now, id_, cause_, number_, log_->name_of(r), kind, depth_});
}

}  // namespace rednova::exec
