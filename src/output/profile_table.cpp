#include "output/profile_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace rednova::output {

namespace {

using json = nlohmann::ordered_json;

/// Of one phase on all ranks.
struct table_row {
  std::string activity;
  double seconds = 0, longest = 0, shortest = std::numeric_limits<double>::infinity(), calls = 0;
  double least = 1, most = 0;  ///< share of a rank's threads' time, on a device of its wall time
  int ranks = 0;

  bool on_device() const { return activity == "device"; }
};

std::string line_of(const std::string& name, const table_row& row, double whole, bool several) {
  const std::string mean = row.calls > 0 ? fmt::format("{:.3g}", 1e3 * row.seconds / row.calls) : "";
  const std::string longest = row.longest > 0 ? fmt::format("{:.3g}", 1e3 * row.longest) : "";
  const std::string shortest = row.calls > 0 ? fmt::format("{:.3g}", 1e3 * row.shortest) : "";
  std::string line =
      fmt::format("{:<32}{:>8.1f} %{:>10.4g}{:>12}{:>12}{:>12}{:>12}", name, 100 * row.seconds / whole, row.seconds,
                  row.calls > 0 ? fmt::format("{:.0f}", row.calls) : "", mean, shortest, longest);
  if (several) line += fmt::format("{:>8.1f} to {:.1f} %", 100 * row.least, 100 * row.most);
  return line + '\n';
}

/// A number of each rank: their mean, and the least and the most.
std::string line_of_ranks(const char* name, const std::vector<double>& of_ranks) {
  if (of_ranks.empty()) return "";
  const double mean = std::accumulate(of_ranks.begin(), of_ranks.end(), 0.0) / static_cast<double>(of_ranks.size());
  const auto [least, most] = std::ranges::minmax(of_ranks);
  const std::string range = of_ranks.size() > 1 ? fmt::format("   {:.3g} to {:.3g}", least, most) : "";
  return fmt::format("{:<42}{:>10.3g}{}\n", name, mean, range);
}

/// What ranks took of their machines.
std::string load_lines(const std::vector<json>& ranks) {
  std::vector<double> processors, memory, sent, received;
  for (const json& r : ranks) {
    if (!r.contains("samples")) continue;
    const json& all = r["samples"];
    const auto last = [&](const char* column) { return all[column].back().get<double>(); };
    const auto grown = [&](const char* column) { return last(column) - all[column].front().get<double>(); };
    if (grown("time") > 0) processors.push_back(grown("processor_seconds") / grown("time"));
    memory.push_back(1e-9 * last("high_water_bytes"));
    if (!r.contains("messages")) continue;
    sent.push_back(1e-6 * r["messages"]["sent_bytes"].get<double>());
    received.push_back(1e-6 * r["messages"]["received_bytes"].get<double>());
  }
  return line_of_ranks("processors in use by a rank", processors) + line_of_ranks("most memory of a rank, GB", memory) +
         line_of_ranks("messages that a rank sent, MB", sent) +
         line_of_ranks("messages that a rank received, MB", received);
}

}  // namespace

std::string profile_table(const std::vector<json>& ranks) {
  std::map<std::pair<std::string, bool>, table_row> rows;  // of a name, and whether on a device, which may share names
  double whole = 0, wall = 0, longest = 0;
  int threads = 0;
  for (const json& r : ranks) {
    const double of_rank = r["seconds"].get<double>() * r["threads"].get<double>();
    whole += of_rank;
    wall += r["seconds"].get<double>();
    longest = std::max(longest, r["seconds"].get<double>());
    threads += r["threads"].get<int>();
    for (const json& p : r["phases"]) {
      table_row& row = rows[{p["name"], p["activity"] == "device"}];
      row.activity = p["activity"];
      row.seconds += p["seconds"].get<double>();
      row.calls += p["calls"].get<double>();
      row.longest = std::max(row.longest, p["longest"].get<double>());
      if (p["calls"] > 0) row.shortest = std::min(row.shortest, p["shortest"].get<double>());
      const double time = row.on_device() ? r["seconds"].get<double>() : of_rank;
      const double share = time > 0 ? p["seconds"].get<double>() / time : 0;
      row.least = std::min(row.least, share);
      row.most = std::max(row.most, share);
      ++row.ranks;
    }
  }
  if (whole <= 0) return "";
  std::vector<std::pair<std::string, table_row>> sorted;
  for (const auto& [key, row] : rows) {
    sorted.emplace_back(key.first, row);
    if (row.ranks < static_cast<int>(ranks.size())) sorted.back().second.least = 0;
  }
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return std::tie(b.second.seconds, a.first) < std::tie(a.second.seconds, b.first);
  });
  const bool several = ranks.size() > 1;
  std::string text =
      fmt::format("{:<32}{:>10}{:>10}{:>12}{:>12}{:>12}{:>12}{}\n",
                  fmt::format("{:.4g} s on {} thread{}", longest, threads, threads == 1 ? "" : "s"), "share", "seconds",
                  "calls", "mean ms", "shortest ms", "longest ms", several ? "   share of ranks" : "");
  constexpr double worth_a_line = 0.002;  // share of the time
  table_row others;
  for (const char* activity : {"work", "wait"}) {
    for (const auto& [name, row] : sorted) {
      if (row.activity != activity) continue;
      if (row.seconds >= worth_a_line * whole) {
        text += line_of(name, row, whole, several);
      } else {
        others.seconds += row.seconds;
      }
    }
  }
  text += line_of("all others", others, whole, false);
  std::string of_devices;
  for (const auto& [name, row] : sorted)
    if (row.on_device() && row.seconds >= worth_a_line * wall) of_devices += line_of(name, row, wall, several);
  if (!of_devices.empty()) text += "on devices, by their own clock: shares of the wall time\n" + of_devices;
  return text + load_lines(ranks);
}

}  // namespace rednova::output
