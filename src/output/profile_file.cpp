#include "output/profile_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <tuple>

#include "exec/transport.hpp"
#include "output/durable.hpp"
#include "output/gather_json.hpp"

namespace rednova::output {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* whole_file = "profile.json";
constexpr int profile_format = 1;
constexpr std::size_t most_samples = 600;

// What no phase claims.
constexpr const char* idle = "no task ready";
constexpr const char* outside = "main thread, outside of phases";

constexpr const char* own_work = "profile file";

/// To a microsecond, which keeps files short.
double rounded(double seconds) { return std::round(1e6 * seconds) * 1e-6; }

std::string rank_file(int rank) { return rank == 0 ? whole_file : fmt::format("profile_rank_{:05}.json", rank); }

void add_row(json& rows, const std::string& name, const char* activity, const exec::profile::entry& e) {
  rows.push_back({{"name", name},
                  {"activity", activity},
                  {"seconds", rounded(e.seconds)},
                  {"calls", e.calls},
                  {"longest", rounded(e.longest)}});
}

/// All phases of this rank; the rest of its threads' time is added under names of its own.
json phases_of(const exec::profile& times, double whole) {
  json rows = json::array();
  for (const auto& [name, e] : times.entries())
    add_row(rows, name, e.what == exec::activity::wait ? "wait" : "work", e);
  const auto threads = times.threads();
  exec::profile::entry no_task;
  for (std::size_t slot = 1; slot < threads.size(); ++slot)
    no_task.seconds += std::max(0.0, whole - threads[slot][0] - threads[slot][1]);
  add_row(rows, idle, "wait", no_task);
  exec::profile::entry rest;
  rest.seconds = std::max(0.0, whole - threads[0][0] - threads[0][1]);
  add_row(rows, outside, "work", rest);
  for (const auto& [name, e] : times.elsewhere()) add_row(rows, name, "device", e);
  return rows;
}

/// Wall time so far, and all phases.
json times_of(const exec::profile& times) {
  const double seconds = times.seconds();
  return {{"seconds", rounded(seconds)}, {"phases", phases_of(times, seconds)}};
}

/// PAPI looks at the machine for some milliseconds.
exec::hardware_counters open_hardware_counters(exec::profile& times) {
  const exec::profile::scope timed(times, own_work);
  return {};
}

/// Of one phase on all ranks.
struct table_row {
  std::string activity;
  double seconds = 0, longest = 0, calls = 0;
  double least = 1, most = 0;  ///< share of a rank's threads' time
  int ranks = 0;
};

std::string line_of(const std::string& name, const table_row& row, double whole, bool several) {
  const std::string mean = row.calls > 0 ? fmt::format("{:.3g}", 1e3 * row.seconds / row.calls) : "";
  const std::string longest = row.longest > 0 ? fmt::format("{:.3g}", 1e3 * row.longest) : "";
  std::string line = fmt::format("{:<32}{:>8.1f} %{:>10.4g}{:>12}{:>12}{:>12}", name, 100 * row.seconds / whole,
                                 row.seconds, row.calls > 0 ? fmt::format("{:.0f}", row.calls) : "", mean, longest);
  if (several) line += fmt::format("{:>8.1f} to {:.1f} %", 100 * row.least, 100 * row.most);
  return line + '\n';
}

}  // namespace

std::string profile_table(const std::vector<json>& ranks) {
  std::map<std::string, table_row> rows;
  double whole = 0, longest = 0;
  int threads = 0;
  for (const json& r : ranks) {
    const double of_rank = r["seconds"].get<double>() * r["threads"].get<double>();
    whole += of_rank;
    longest = std::max(longest, r["seconds"].get<double>());
    threads += r["threads"].get<int>();
    for (const json& p : r["phases"]) {
      table_row& row = rows[p["name"]];
      row.activity = p["activity"];
      row.seconds += p["seconds"].get<double>();
      row.calls += p["calls"].get<double>();
      row.longest = std::max(row.longest, p["longest"].get<double>());
      const double share = of_rank > 0 ? p["seconds"].get<double>() / of_rank : 0;
      row.least = std::min(row.least, share);
      row.most = std::max(row.most, share);
      ++row.ranks;
    }
  }
  if (whole <= 0) return "";
  std::vector<std::pair<std::string, table_row>> sorted(rows.begin(), rows.end());
  for (auto& [name, row] : sorted)
    if (row.ranks < static_cast<int>(ranks.size())) row.least = 0;
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return std::tie(b.second.seconds, a.first) < std::tie(a.second.seconds, b.first);
  });
  const bool several = ranks.size() > 1;
  std::string text =
      fmt::format("{:<32}{:>10}{:>10}{:>12}{:>12}{:>12}{}\n",
                  fmt::format("{:.4g} s on {} thread{}", longest, threads, threads == 1 ? "" : "s"), "share", "seconds",
                  "calls", "mean ms", "longest ms", several ? "   share of ranks" : "");
  constexpr double worth_a_line = 0.002;  // share of the time
  table_row others;
  for (const char* activity : {"work", "wait", "device"}) {
    for (const auto& [name, row] : sorted) {
      if (row.activity != activity) continue;
      if (row.seconds >= worth_a_line * whole) {
        text += line_of(name, row, whole, several);
      } else if (row.activity != "device") {
        others.seconds += row.seconds;
      }
    }
  }
  return text + line_of("all others", others, whole, false);
}

profile_file::profile_file(const step::simulation& s, const step::device* gpu, const std::string& directory,
                           const provenance& from, volatile std::sig_atomic_t& asked)
    : s_(s),
      gpu_(gpu),
      hardware_(open_hardware_counters(s.context().times())),
      directory_(directory),
      from_(from),
      asked_(asked),
      rank_(s.context().ranks() == nullptr ? 0 : s.context().ranks()->rank()),
      ranks_(s.context().ranks() == nullptr ? 1 : s.context().ranks()->size()),
      first_step_(s.step()),
      step_(s.step()),
      before_first_step_(times_of(s.context().times())) {
  s.context().times().clear();
  if (gpu_ != nullptr) monitor_.emplace(gpu_->uuid());
  if (rank_ == 0) {  // those that an earlier, killed run on more ranks has left
    std::error_code ignored;
    for (int rank = ranks_; fs::remove(fs::path(directory_) / rank_file(rank), ignored); ++rank) continue;
  }
  take_sample();
  thread_ = std::thread([this] { keep_up(); });
}

profile_file::~profile_file() { stop(); }

void profile_file::after_step(const step::simulation& s) { step_.store(s.step(), std::memory_order_relaxed); }

void profile_file::take_sample() {
  samples_.push_back({s_.context().times().seconds(), step_.load(std::memory_order_relaxed), read_process_load(),
                      hardware_.read(), monitor_ ? monitor_->read() : device_load{}});
  if (samples_.size() < most_samples) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples_.size(); i += 2) samples_[kept++] = samples_[i];
  samples_.resize(kept);
  interval_ *= 2;
}

void profile_file::keep_up() {
  constexpr auto second = std::chrono::seconds(1);
  std::unique_lock lock(guard_);
  while (!woken_.wait_for(lock, second, [this] { return over_; })) {
    if (s_.context().times().seconds() - samples_.back().time > interval_ - 0.5) take_sample();
    write(own_file(), document({this_rank()}, false));
    if (asked_ == 0) continue;
    asked_ = 0;
    fmt::print("\nstep {}\n{}", step_.load(std::memory_order_relaxed), profile_table({this_rank()}));
    std::fflush(stdout);
  }
}

void profile_file::stop() {
  {
    const std::scoped_lock lock(guard_);
    over_ = true;
  }
  woken_.notify_one();
  if (thread_.joinable()) thread_.join();
}

std::string profile_file::own_file() const { return rank_file(rank_); }

json profile_file::this_rank() const {
  const exec::profile& times = s_.context().times();
  json j = {{"rank", rank_},
            {"threads", s_.context().threads()},
            {"clock", times.clock().name()},
            {"steps", step_.load(std::memory_order_relaxed) - first_step_},
            {"before_first_step", before_first_step_}};
  j.update(times_of(times));
  j["work_of_threads"] = json::array();
  for (const auto& [work, wait] : times.threads()) j["work_of_threads"].push_back(rounded(work));
  if (gpu_ != nullptr) {
    const step::device_counters c = gpu_->counters();
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
  if (hardware_.why_not().empty()) {
    add("cycles", [](const sample& at) { return at.counts.cycles; });
    add("instructions", [](const sample& at) { return at.counts.instructions; });
    add("cache_misses", [](const sample& at) { return at.counts.cache_misses; });
  }
  if (!monitor_ || !monitor_->why_not().empty()) return columns;
  add("device_use_percent", [](const sample& at) { return at.on_device.use; });
  add("device_memory_bytes", [](const sample& at) { return at.on_device.memory; });
  add("device_watts", [](const sample& at) { return at.on_device.watts; });
  add("device_mhz", [](const sample& at) { return at.on_device.mhz; });
  return columns;
}

json profile_file::document(std::vector<json> ranks, bool complete) const {
  return {{"format", profile_format},
          {"run", {{"version", from_.version}, {"commit", from_.commit}, {"input", from_.input}}},
          {"number_of_ranks", ranks_},
          {"complete", complete},
          {"ranks", std::move(ranks)}};
}

void profile_file::write(const std::string& name, const json& what) {
  try {
    replace_file((fs::path(directory_) / name).string(), what.dump(1) + '\n');
  } catch (const std::exception& e) {
    if (!warned_) fmt::print(stderr, "rednova: warning: {} (the run goes on)\n", e.what());
    warned_ = true;
  }
}

std::string profile_file::close() {
  {
    const exec::profile::scope timed(s_.context().times(), own_work);
    stop();
    take_sample();
  }
  const json mine = this_rank();
  std::vector<json> all{mine};
  if (exec::transport* const ranks = s_.context().ranks()) {
    all = gather_json(*ranks, mine);
    if (rank_ != 0) {
      std::error_code ignored;
      fs::remove(fs::path(directory_) / own_file(), ignored);
      return "";
    }
  }
  write(whole_file, document(all, true));
  std::string of_steps = profile_table(all);
  constexpr double worth_a_table = 0.05;  // of the time of the steps
  std::vector<json> before;
  double seconds = 0, seconds_before = 0;
  for (const json& r : all) {
    before.push_back({{"threads", r["threads"]}});
    before.back().update(r["before_first_step"]);
    seconds = std::max(seconds, r["seconds"].get<double>());
    seconds_before = std::max(seconds_before, before.back()["seconds"].get<double>());
  }
  if (seconds_before < worth_a_table * seconds) return of_steps;
  return fmt::format("Before the first step\n{}\nThe steps\n{}", profile_table(before), of_steps);
}

}  // namespace rednova::output
