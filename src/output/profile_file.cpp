#include "output/profile_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <utility>

#include "exec/transport.hpp"
#include "output/durable.hpp"
#include "output/gather_json.hpp"
#include "output/profile_table.hpp"

namespace rednova::output {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* whole_file = "profile.json";
constexpr int profile_format = 1;
constexpr std::size_t most_samples = 600;

// What no phase claims: of the main thread and of the others.
constexpr const char* outside = "main thread, outside of phases";
constexpr const char* between = "threads, between phases";

constexpr const char* own_work = "profile file";

/// To a microsecond, which keeps files short; what may be shorter to a nanosecond.
double rounded(double seconds) { return std::round(1e6 * seconds) * 1e-6; }
double rounded_to_ns(double seconds) { return std::round(1e9 * seconds) * 1e-9; }

void add_row(json& rows, const std::string& name, const char* activity, const exec::profile::entry& e) {
  rows.push_back({{"name", name},
                  {"activity", activity},
                  {"seconds", rounded(e.seconds)},
                  {"calls", e.calls},
                  {"shortest", rounded_to_ns(e.shortest)},
                  {"longest", rounded(e.longest)}});
}

/// All phases of this rank, and each thread's seconds that have no name: the rest of its time, which is added under
/// names of its own, and what the main thread does between tasks.
void add_phases(json& to, exec::profile::reading now, const exec::profile::table& of_devices) {
  exec::profile::entry none, rest;
  none.what = exec::activity::wait;
  exec::profile::entry& waits = now.phases.try_emplace(exec::phases::idle, none).first->second;
  to["unnamed_of_threads"] = json::array();
  for (std::size_t slot = 0; slot < now.threads.size(); ++slot) {
    const auto [work, wait] = now.threads[slot];
    waits.seconds += now.idle[slot];
    const double left = std::max(0.0, now.seconds - work - wait - now.idle[slot]);
    if (slot > 0) rest.seconds += left;
    const auto step = now.phases.find(exec::phases::step);
    const double between_tasks = slot == 0 && step != now.phases.end() ? step->second.seconds : 0;
    to["unnamed_of_threads"].push_back(rounded(left + between_tasks));
    if (slot == 0) none.seconds = left;
  }
  none.what = exec::activity::work;
  json rows = json::array();
  for (const auto& [name, e] : now.phases) add_row(rows, name, e.what == exec::activity::wait ? "wait" : "work", e);
  add_row(rows, outside, "work", none);
  if (now.threads.size() > 1) add_row(rows, between, "work", rest);
  for (const auto& [name, e] : of_devices)
    if (e.seconds > 0) add_row(rows, name, "device", e);  // else it is a count
  to["phases"] = std::move(rows);
}

/// Wall time so far, and all phases.
json times_of(const exec::profile& times) {
  exec::profile::reading now = times.read();
  json all = {{"seconds", rounded(now.seconds)}};
  add_phases(all, std::move(now), times.elsewhere());
  return all;
}

exec::traffic messages_of(const exec::context& c) {
  return c.ranks() != nullptr ? c.ranks()->all_messages() : exec::traffic{};
}

/// On the file's own thread, where an exception would end the program: fmt::print throws where it cannot write.
void say(std::FILE* to, const std::string& text) {
  std::fputs(text.c_str(), to);
  std::fflush(to);
}

/// PAPI looks at the machine for some milliseconds.
exec::hardware_counters open_hardware_counters(exec::profile& times) {
  const exec::profile::scope timed(times, own_work);
  return {};
}

/// Of a rank's profile, what lies before its first step, as a profile.
json before_first_step(const json& rank) {
  json before = {{"threads", rank["threads"]}};
  before.update(rank["before_first_step"]);
  return before;
}

}  // namespace

std::string profile_of_rank(int rank) { return rank == 0 ? whole_file : fmt::format("profile_rank_{:05}.json", rank); }

void remove_profiles(const std::string& directory) {
  std::error_code ignored;
  for (int rank = 0; fs::remove(fs::path(directory) / profile_of_rank(rank), ignored) || rank == 0; ++rank) continue;
}

profile_file::profile_file(exec::context& context, const step::device* gpu, const std::string& directory,
                           const provenance& from, volatile std::sig_atomic_t& asked)
    : context_(context),
      gpu_(gpu),
      hardware_(open_hardware_counters(context.times())),
      directory_(directory),
      from_(from),
      asked_(asked),
      rank_(context.ranks() == nullptr ? 0 : context.ranks()->rank()),
      ranks_(context.ranks() == nullptr ? 1 : context.ranks()->size()) {
  if (gpu_ != nullptr) monitor_.emplace(gpu_->uuid());
  if (rank_ == 0) remove_profiles(directory_);  // of the start before
  thread_ = std::thread([this] { keep_up(); });
}

void profile_file::begin_steps(std::int64_t first) {
  const std::scoped_lock lock(guard_);
  before_first_step_ = times_of(context_.times());
  context_.times().clear();
  step_ = first_step_ = first;
  messages_before_ = messages_of(context_);
  steps_begun_ = true;
  take_sample();
}

profile_file::~profile_file() { stop(); }

void profile_file::after_step(const step::simulation& s) { step_.store(s.step(), std::memory_order_relaxed); }

void profile_file::sample::hold(const sample& before) {
  const auto keep = [](double& now, double was) {
    if (std::isnan(now)) now = was;
  };
  keep(counts.cycles, before.counts.cycles);
  keep(counts.instructions, before.counts.instructions);
  keep(counts.cache_misses, before.counts.cache_misses);
  keep(on_device.use, before.on_device.use);
  keep(on_device.memory, before.on_device.memory);
  keep(on_device.watts, before.on_device.watts);
  keep(on_device.mhz, before.on_device.mhz);
}

void profile_file::take_sample() {
  samples_.push_back({context_.times().seconds(), step_.load(std::memory_order_relaxed), read_process_load(),
                      hardware_.read(), monitor_ ? monitor_->read() : device_load{}, counters_of_device(),
                      messages_of(context_).sent_bytes});
  if (samples_.size() > 1) samples_.back().hold(samples_[samples_.size() - 2]);
  if (samples_.size() < most_samples) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples_.size(); i += 2) samples_[kept++] = samples_[i];
  samples_.resize(kept);
  interval_ *= 2;
}

/// A device that has failed answers with an error, which is the main thread's to tell of.
step::device_counters profile_file::counters_of_device() const {
  if (gpu_ == nullptr) return {};
  try {
    return last_of_device_ = gpu_->counters();
  } catch (const std::exception&) {
    return last_of_device_;
  }
}

void profile_file::keep_up() {
  constexpr auto second = std::chrono::seconds(1);
  std::unique_lock lock(guard_);
  while (!woken_.wait_for(lock, second, [this] { return over_; })) {
    if (steps_begun_ && context_.times().seconds() - samples_.back().time > interval_ - 0.5) take_sample();
    const json mine = this_rank();
    write(own_file(), document({mine}, false));
    if (asked_ == 0) continue;
    asked_ = 0;
    say(stdout, table_so_far(mine));
  }
}

std::string profile_file::table_so_far(const json& mine) const {
  const std::string whose = ranks_ > 1 ? fmt::format("Rank {}: ", rank_) : "";
  if (!steps_begun_)
    return fmt::format("\n{}Before the first step\n{}", whose, profile_table({before_first_step(mine)}));
  return fmt::format("\n{}step {}\n{}", whose, mine["steps"].get<std::int64_t>() + first_step_, profile_table({mine}));
}

std::string profile_file::table_so_far() {
  const std::scoped_lock lock(guard_);
  return table_so_far(this_rank());
}

void profile_file::stop() {
  {
    const std::scoped_lock lock(guard_);
    over_ = true;
  }
  woken_.notify_one();
  if (thread_.joinable()) thread_.join();
}

std::string profile_file::own_file() const { return profile_of_rank(rank_); }

json profile_file::this_rank() const {
  const exec::profile& times = context_.times();
  json j = {{"rank", rank_},
            {"threads", context_.threads()},
            {"clock", times.clock().name()},
            {"start_ns", times.start()},
            {"steps", step_.load(std::memory_order_relaxed) - first_step_},
            {"before_first_step", steps_begun_ ? before_first_step_ : times_of(times)}};
  j.update(steps_begun_ ? times_of(times) : json{{"seconds", 0.0}, {"phases", json::array()}});
  j["work_of_threads"] = json::array();
  if (steps_begun_)
    for (const auto& [work, wait] : times.threads()) j["work_of_threads"].push_back(rounded(work));
  if (ranks_ > 1 && steps_begun_) {
    const exec::traffic now = messages_of(context_);
    j["messages"] = {{"sent", now.sent - messages_before_.sent},
                     {"sent_bytes", now.sent_bytes - messages_before_.sent_bytes},
                     {"received", now.received - messages_before_.received},
                     {"received_bytes", now.received_bytes - messages_before_.received_bytes}};
  }
  if (gpu_ != nullptr) {
    const step::device_counters c = counters_of_device();
    j["device"] = {{"name", gpu_->description()},
                   {"bytes_to_device", c.to_device},
                   {"bytes_to_host", c.to_host},
                   {"memory_bytes", c.memory},
                   {"most_memory_bytes", c.most_memory}};
    if (!monitor_->why_not().empty()) j["device"]["no_readings"] = monitor_->why_not();
  }
  if (!hardware_.why_not().empty()) j["no_hardware_counters"] = hardware_.why_not();
  j["samples"] = samples();
  return j;
}

json profile_file::samples() const {
  json columns;
  const auto add = [&](const char* name, const auto& value) {
    columns[name] = json::array();
    for (const sample& at : samples_) columns[name].push_back(value(at));
  };
  const auto to_ms = [](double seconds) { return std::round(1e3 * seconds) * 1e-3; };
  add("time", [&](const sample& at) { return to_ms(at.time); });
  add("step", [](const sample& at) { return at.step; });
  add("processor_seconds", [&](const sample& at) { return to_ms(at.load.processor); });
  add("resident_bytes", [](const sample& at) { return at.load.resident; });
  add("high_water_bytes", [](const sample& at) { return at.load.high_water; });
  add("network_bytes", [](const sample& at) { return at.load.network; });
  add("threads", [](const sample& at) { return at.load.threads; });
  if (ranks_ > 1) add("sent_bytes", [&](const sample& at) { return at.sent_bytes - messages_before_.sent_bytes; });
  // What cannot be read is left out: a zero would be a reading.
  const auto add_known = [&](const char* name, const auto& value) {
    if (std::ranges::none_of(samples_, [&](const sample& at) { return std::isnan(value(at)); })) add(name, value);
  };
  if (hardware_.why_not().empty()) {
    add_known("cycles", [](const sample& at) { return at.counts.cycles; });
    add_known("instructions", [](const sample& at) { return at.counts.instructions; });
    add_known("cache_misses", [](const sample& at) { return at.counts.cache_misses; });
  }
  if (gpu_ != nullptr) {
    add("device_own_memory_bytes", [](const sample& at) { return at.of_rank.memory; });
    add("bytes_to_device", [](const sample& at) { return at.of_rank.to_device; });
    add("bytes_to_host", [](const sample& at) { return at.of_rank.to_host; });
  }
  if (!monitor_ || !monitor_->why_not().empty()) return columns;
  add_known("device_use_percent", [](const sample& at) { return at.on_device.use; });
  add_known("device_memory_bytes", [](const sample& at) { return at.on_device.memory; });
  add_known("device_watts", [](const sample& at) { return at.on_device.watts; });
  add_known("device_mhz", [](const sample& at) { return at.on_device.mhz; });
  return columns;
}

json profile_file::document(std::vector<json> ranks, bool complete) const {
  return {{"format", profile_format},
          {"run",
           {{"version", from_.version},
            {"commit", from_.commit},
            {"started_ns", from_.started_ns},
            {"input", from_.input}}},
          {"number_of_ranks", ranks_},
          {"complete", complete},
          {"ranks", std::move(ranks)}};
}

bool profile_file::write(const std::string& name, const json& what) {
  try {
    replace_file((fs::path(directory_) / name).string(), what.dump(1) + '\n');
    return true;
  } catch (const std::exception& e) {
    if (!warned_) say(stderr, fmt::format("rednova: warning: {} (the run goes on)\n", e.what()));
    warned_ = true;
    return false;
  }
}

std::string profile_file::close() {
  {
    const exec::profile::scope timed(context_.times(), own_work);
    stop();
    take_sample();
  }
  const json mine = this_rank();
  std::vector<json> all{mine};
  exec::transport* const ranks = context_.ranks();
  if (ranks != nullptr) all = gather_json(*ranks, mine);
  std::int64_t written = rank_ == 0 && write(whole_file, document(all, true));
  // What ranks have written stays until the whole is there.
  if (ranks != nullptr) written = ranks->gather_all(written)[0];
  if (rank_ != 0) {
    std::error_code ignored;
    if (written != 0) fs::remove(fs::path(directory_) / own_file(), ignored);
    return "";
  }
  std::string of_steps = profile_table(all);
  constexpr double worth_a_table = 0.05;  // of the time of the steps
  std::vector<json> before;
  double seconds = 0, seconds_before = 0;
  for (const json& r : all) {
    before.push_back(before_first_step(r));
    seconds = std::max(seconds, r["seconds"].get<double>());
    seconds_before = std::max(seconds_before, before.back()["seconds"].get<double>());
  }
  if (seconds_before < worth_a_table * seconds) return of_steps;
  return fmt::format("Before the first step\n{}\nThe steps\n{}", profile_table(before), of_steps);
}

}  // namespace rednova::output
