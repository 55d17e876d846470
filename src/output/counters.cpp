#include "output/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "exchange/gather.hpp"
#include "exec/transport.hpp"
#include "output/gather_json.hpp"

namespace rednova::output {
namespace {

using json = nlohmann::ordered_json;

/// The counters of this rank.
json of_rank(const step::simulation& s, double seconds) {
  json j;
  const exec::transport* const ranks = s.context().ranks();
  const exec::profile& times = s.context().times();
  const exec::profile::reading now = times.read();
  const exec::profile::table& phases = now.phases;
  const double waiting = times.waiting();
  j["rank"] = ranks == nullptr ? 0 : ranks->rank();
  j["threads"] = s.context().threads();
  j["seconds"] = seconds;
  j["waiting"] = waiting;
  j["waiting_share"] = seconds > 0 ? waiting / seconds : 0;
  const auto tasks = phases.find(exec::phases::task);
  j["tasks"] = tasks == phases.end() ? 0 : tasks->second.calls;
  j["cores"] = json::array();
  for (const auto& [busy, waits] : now.threads) {
    j["cores"].push_back({{"busy", busy}, {"idle_share", seconds > 0 ? 1 - std::min(1.0, busy / seconds) : 0}});
  }
  j["leaves"] = s.halo().partition().leaf_count();
  j["addresses"] = {{"resolved", s.lookups().resolved},
                    {"seconds", s.lookups().seconds},
                    {"share", seconds > 0 ? s.lookups().seconds / seconds : 0}};
  j["migrations"] = {
      {"received", s.migrations().received}, {"sent", s.migrations().sent}, {"bytes_sent", s.migrations().bytes_sent}};
  j["messages"] = json::array();
  using by_mailbox = std::map<std::pair<std::string, int>, exec::traffic>;
  for (const auto& [key, t] : ranks == nullptr ? by_mailbox() : ranks->counts()) {
    if (t.sent + t.received == 0) continue;
    j["messages"].push_back({{"kind", key.first},
                             {"with", key.second},
                             {"sent", t.sent},
                             {"sent_bytes", t.sent_bytes},
                             {"received", t.received},
                             {"received_bytes", t.received_bytes},
                             {"waited", t.waited}});
  }
  for (const auto& [phase, entry] : phases)
    j["phases"][phase] = {{"seconds", entry.seconds / s.context().threads()}, {"calls", entry.calls}};
  for (const auto& [phase, entry] : times.elsewhere())
    j["phases"][phase + " (device)"] = {{"seconds", entry.seconds}, {"calls", entry.calls}};
  return j;
}

std::string table_of(const std::vector<json>& ranks) {
  struct sum {
    double received = 0, bytes = 0, waited = 0, most_waited = 0;
  };
  std::map<std::string, sum> kinds;
  double waiting = 0, most_waiting = 0, seconds = 0, migrated = 0, addressing = 0, tasks = 0;
  double least_idle = 1, most_idle = 0;
  for (const json& j : ranks) {
    std::map<std::string, double> waited;
    for (const json& m : j["messages"]) {
      sum& k = kinds[m["kind"]];
      k.received += m["received"].get<double>();
      k.bytes += m["received_bytes"].get<double>();
      k.waited += m["waited"].get<double>();
      waited[m["kind"]] += m["waited"].get<double>();
    }
    for (const auto& [kind, t] : waited) kinds[kind].most_waited = std::max(kinds[kind].most_waited, t);
    waiting += j["waiting"].get<double>();
    most_waiting = std::max(most_waiting, j["waiting_share"].get<double>());
    seconds += j["seconds"].get<double>();
    tasks += j["tasks"].get<double>();
    for (const json& core : j["cores"]) {
      least_idle = std::min(least_idle, core["idle_share"].get<double>());
      most_idle = std::max(most_idle, core["idle_share"].get<double>());
    }
    migrated += j["migrations"]["received"].get<double>();
    addressing = std::max(addressing, j["addresses"]["share"].get<double>());
  }
  std::string text =
      fmt::format("{:<20}{:>12}{:>12}{:>12}{:>16}\n", "messages", "number", "MB", "waited s", "most on a rank");
  for (const auto& [kind, k] : kinds) {
    text += fmt::format("{:<20}{:>12.0f}{:>12.4g}{:>12.3g}{:>16.3g}\n", kind, k.received, 1e-6 * k.bytes, k.waited,
                        k.most_waited);
  }
  return text +
         fmt::format(
             "waiting {:.1f} % of the time ({:.1f} % on the worst rank), {:.0f} blocks migrated, {:.2g} % of the "
             "time for addresses\n"
             "{:.0f} tasks, cores without one {:.1f} to {:.1f} % of the time\n",
             seconds > 0 ? 100 * waiting / seconds : 0, 100 * most_waiting, migrated, 100 * addressing, tasks,
             100 * least_idle, 100 * most_idle);
}

}  // namespace

counters collect_counters(const step::simulation& s, double seconds) {
  exec::transport* const ranks = s.context().ranks();
  json document;
  if (ranks == nullptr) {
    document["transport"] = "one rank";
    document["ranks"] = {of_rank(s, seconds)};
    return {"", document.dump(1) + '\n'};
  }
  const std::vector<json> all = gather_json(*ranks, of_rank(s, seconds));
  if (!s.context().leads()) return {};
  document["transport"] = ranks->describe();
  document["ranks"] = all;
  return {table_of(all), document.dump(1) + '\n'};
}

}  // namespace rednova::output
