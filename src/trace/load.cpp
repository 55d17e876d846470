#include "trace/load.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "output/profile_file.hpp"

namespace rednova::trace {

namespace {

using json = nlohmann::json;

struct column {
  const char *key, *over;  ///< what it is read from; what it is a rate by, null: as it is
  const char* name;
  double unit;
};
constexpr column columns[] = {
    {"processor_seconds", "time", "processors in use", 1},
    {"resident_bytes", nullptr, "memory [MB]", 1e6},
    {"network_bytes", "time", "network [MB/s]", 1e6},
    {"sent_bytes", "time", "messages sent [MB/s]", 1e6},
    {"instructions", "cycles", "instructions a cycle", 1},
    {"cache_misses", "time", "cache misses [10^6/s]", 1e6},
    {"device_use_percent", nullptr, "device in use [%]", 1},
    {"device_memory_bytes", nullptr, "device memory [MB]", 1e6},
    {"device_own_memory_bytes", nullptr, "device memory of the rank [MB]", 1e6},
    {"bytes_to_device", "time", "to the device [MB/s]", 1e6},
    {"bytes_to_host", "time", "from the device [MB/s]", 1e6},
    {"device_watts", nullptr, "device [W]", 1},
    {"device_mhz", nullptr, "device [MHz]", 1},
};

double value_of(const column& c, const json& samples, std::size_t i) {
  const auto at = [&](const char* key, std::size_t n) { return samples[key].at(n).get<double>(); };
  if (c.over == nullptr) return at(c.key, i) / c.unit;
  const double by = at(c.over, i + 1) - at(c.over, i);
  return by > 0 ? (at(c.key, i + 1) - at(c.key, i)) / by / c.unit : 0;
}

rank_load load_of(const json& rank, const trace& t) {
  rank_load found;
  found.rank = rank.at("rank").get<int>();
  if (!rank.contains("start_ns") || found.rank < 0 || found.rank >= t.ranks) return found;
  const std::int64_t start = rank["start_ns"].get<std::int64_t>() - t.origins[static_cast<std::size_t>(found.rank)];
  const json& samples = rank.at("samples");
  std::vector<column> known;
  for (const column& c : columns)
    if (samples.contains(c.key) && (c.over == nullptr || samples.contains(c.over))) known.push_back(c);
  for (const column& c : known) found.names.emplace_back(c.name);
  for (std::size_t i = 0; i + 1 < samples.at("time").size(); ++i) {
    const auto time_of = [&](std::size_t n) { return start + std::llround(1e9 * samples["time"][n].get<double>()); };
    if (time_of(i + 1) <= 0 || time_of(i) > t.length) continue;
    found.times.push_back(std::max<std::int64_t>(time_of(i), 0));
    std::vector<double>& row = found.values.emplace_back();
    for (const column& c : known) row.push_back(value_of(c, samples, i));
  }
  return found;
}

}  // namespace

std::vector<rank_load> read_load(const std::string& run, const trace& t) {
  std::vector<rank_load> all;
  for (int rank = 0; rank < t.ranks; ++rank) {
    std::ifstream in(std::filesystem::path(run) / output::profile_of_rank(rank));
    const json file = in ? json::parse(in, nullptr, false) : json();
    try {
      if (!in || file.at("run").at("started_ns") != t.started) continue;
      for (const json& of : file.at("ranks")) {
        rank_load found = load_of(of, t);
        if (!found.times.empty()) all.push_back(std::move(found));
      }
    } catch (const json::exception&) {
      continue;  // a profile of another version
    }
  }
  return all;
}

}  // namespace rednova::trace
