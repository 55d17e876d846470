#include "exec/profile.hpp"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "exec/profile_log.hpp"

namespace rednova::exec {

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

profile::reading profile::read() const {
  reading all;
  const auto add = [&](const char* phase, activity what, double own) -> entry& {
    entry& sum = all.phases[phase];
    sum.seconds += own;
    sum.what = what;
    all.threads.back()[static_cast<std::size_t>(what)] += own;
    return sum;
  };
  for (const auto& log : logs_) {
    all.threads.emplace_back();
    for (const row& r : log->all) {
      const char* const phase = r.phase.load(std::memory_order_acquire);
      if (phase == nullptr || get(r.calls) == 0) continue;
      const double shortest = clock_.seconds(get(r.shortest));
      entry& sum = add(phase, get(r.what), clock_.seconds(get(r.own)));
      sum.shortest = sum.calls == 0 ? shortest : std::min(sum.shortest, shortest);
      sum.calls += get(r.calls);
      sum.longest = std::max(sum.longest, clock_.seconds(get(r.longest)));
    }
    std::atomic_thread_fence(std::memory_order_acquire);  // a scope that has ended counts itself
    if (const auto now = log->innermost_now(start_); now.phase != nullptr) add(now.phase, now.what, now.seconds);
    // After its scopes: one that begins meanwhile counts itself what the thread was idle before.
    const std::int64_t free = get(log->free);
    all.idle.push_back(log->slot > 0 && free > 0 ? clock_.seconds(std::max(std::int64_t{0}, clock_.now() - free)) : 0);
  }
  all.seconds = seconds();  // after all threads
  return all;
}

profile::table profile::elsewhere() const {
  const std::scoped_lock lock(guard_);
  return elsewhere_;
}

std::int64_t profile::start() const {
  const clock_reading now = clock_reading::now(clock_);
  return now.ns - std::llround(1e9 * clock_.seconds(now.ticks - start_));
}

double profile::seconds() const { return clock_.seconds(clock_.now() - start_); }

double profile::waiting() const {
  const reading now = read();
  double sum = 0;
  for (std::size_t slot = 0; slot < now.threads.size(); ++slot) {
    const auto [work, wait] = now.threads[slot];
    sum += slot == 0 ? wait : std::max(0.0, now.seconds - work);
  }
  return sum / static_cast<double>(now.threads.size());
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
  log_->set_open(phase, what, start_);
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

void profile::scope::name_again() { log_->open.store(phase_, std::memory_order_release); }

void profile::scope::end() {
  const std::int64_t now = log_->clock.now();
  if (tool_ != nullptr) tool_->end(number_in_tool_);
  const std::int64_t whole = now - start_;
  // Before it counts as ended: who looks meanwhile misses it rather than to find it twice.
  if (around_ != nullptr)
    log_->set_open(around_->phase_, around_->what_, now);
  else
    log_->set_open(nullptr, activity::work, now);
  std::atomic_thread_fence(std::memory_order_release);
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
