// What threads and devices note where a trace is on.
#include <cmath>
#include <utility>

#include "core/check.hpp"
#include "exec/profile_log.hpp"

namespace rednova::exec {

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

std::uint32_t profile::note_message(trace_record::kind what, const char* mailbox, int peer, std::uint32_t number,
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

}  // namespace rednova::exec
