#include "trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "core/check.hpp"
#include "exec/profile.hpp"
#include "output/trace_file.hpp"

namespace rednova::trace {

namespace {

using output::trace_part;

/// One rank's file as it is.
struct rank_records {
  nlohmann::json about;
  std::map<std::uint32_t, std::map<std::uint32_t, std::string>> names;  // [slot][number]
  std::map<std::int64_t, std::vector<trace_record>> threads;
  std::vector<output::trace_part_clock> clocks;
  std::optional<std::int64_t> lost;
};

template <class T>
T take(std::span<const char>& from, const std::string& path) {
  T value;
  if (from.size() < sizeof value) core::fail("{}: a part of it is too short: the file is damaged", path);
  std::memcpy(&value, from.data(), sizeof value);
  from = from.subspan(sizeof value);
  return value;
}

void add_part(rank_records& to, trace_part what, std::span<const char> bytes, const std::string& path) {
  switch (what) {
    case trace_part::about:
      to.about = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
      return;
    case trace_part::name: {
      const auto of = take<output::trace_part_name>(bytes, path);
      to.names[of.slot][of.number] = std::string(bytes.begin(), bytes.end());
      return;
    }
    case trace_part::records: {
      std::vector<trace_record>& all = to.threads[take<std::int64_t>(bytes, path)];
      const std::size_t before = all.size();
      all.resize(before + bytes.size() / sizeof(trace_record));
      std::memcpy(&all[before], bytes.data(), (all.size() - before) * sizeof(trace_record));
      return;
    }
    case trace_part::clock:
      to.clocks.push_back(take<output::trace_part_clock>(bytes, path));
      return;
    case trace_part::lost:
      to.lost = take<std::int64_t>(bytes, path);
      return;
  }
  core::fail("{}: it has a part of kind {}, which this program does not know: it was written by another version", path,
             static_cast<unsigned>(what));
}

rank_records read_rank(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) core::fail("{}: cannot be read: is this a run with --trace?", path);
  rank_records found;
  output::trace_part_head head{};
  std::vector<char> bytes;
  while (in.read(reinterpret_cast<char*>(&head), sizeof head)) {
    bytes.resize(head.bytes);
    if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) break;  // the run was killed
    add_part(found, head.what, bytes, path);
  }
  if (!found.about.is_object() || found.about.value("format", 0) != 1)
    core::fail("{}: no records of a trace, or those of another version of Rednova", path);
  return found;
}

/// By how much a clock is set at one comparison. Where it may be right it is left alone.
std::int64_t setting_of(const output::trace_part_clock& c) {
  if (c.first_of_0 <= c.mine && c.mine <= c.last_of_0) return 0;
  return c.first_of_0 + (c.last_of_0 - c.first_of_0) / 2 - c.mine;
}

/// Sets the clock: between two comparisons in proportion.
struct set_clock {
  std::int64_t start = 0, end = 0, first = 0, last = 0;

  explicit set_clock(const std::vector<output::trace_part_clock>& by) {
    if (by.empty()) return;
    start = by.front().mine;
    end = by.back().mine;
    first = setting_of(by.front());
    last = setting_of(by.back());
  }
  std::int64_t operator()(std::int64_t t) const {
    if (first == last || end <= start) return t + first;
    const double share = std::clamp(static_cast<double>(t - start) / static_cast<double>(end - start), 0.0, 1.0);
    return t + first + static_cast<std::int64_t>(share * static_cast<double>(last - first));
  }
};

/// Outer scopes before those in them; messages after scopes that begin with them.
bool before(const trace_record& a, const trace_record& b) {
  const auto end = [](const trace_record& r) { return r.message() ? r.start : r.end; };
  return std::tuple(a.start, -end(a), a.depth) < std::tuple(b.start, -end(b), b.depth);
}

class reader {
 public:
  void add(int rank, rank_records& from) {
    const set_clock set(from.clocks);
    if (!from.clocks.empty()) {
      const auto trip = [](const output::trace_part_clock& c) { return c.last_of_0 - c.first_of_0; };
      result.clocks[static_cast<std::size_t>(rank)] = {set.first, set.last,
                                                       std::max(trip(from.clocks.front()), trip(from.clocks.back()))};
    }
    result.lost += from.lost.value_or(0);
    result.complete = result.complete && from.lost.has_value();
    for (auto& [slot, records] : from.threads) {
      for (trace_record& r : records) {
        r.start = set(r.start);
        if (!r.message()) r.end = set(r.end);
        r.name = number_of(from.names[static_cast<std::uint32_t>(slot)][r.name]);
      }
      std::ranges::sort(records, before);
      result.threads.push_back({rank, static_cast<int>(slot), std::move(records)});
    }
  }

  /// Steps, and what lies in those that are wanted, from time 0 on.
  void cut(const step_range& wanted) {
    const auto of_step = static_cast<std::size_t>(number_of(exec::phases::step));
    for (const thread& t : result.threads) {
      if (t.rank != 0 || t.slot != 0) continue;
      for (const trace_record& r : t.records)
        if (r.name == of_step && !r.message()) result.steps.push_back({r.start, r.end});
    }
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = std::numeric_limits<std::int64_t>::min();
    for (const thread& t : result.threads)
      if (!t.records.empty()) first = std::min(first, t.records.front().start);
    const auto count = static_cast<std::int64_t>(result.steps.size());
    const bool all = wanted.first <= 0 && wanted.last >= count - 1;
    if (!all) {
      if (wanted.first >= count || wanted.last < wanted.first)
        core::fail("the trace has {} steps, numbered from 0; there is none from {} to {}", count, wanted.first,
                   wanted.last);
      const std::int64_t from = std::max<std::int64_t>(0, wanted.first), to = std::min(wanted.last, count - 1);
      first = result.steps[static_cast<std::size_t>(from)].start;
      const std::int64_t end = result.steps[static_cast<std::size_t>(to)].end;
      for (thread& t : result.threads)
        std::erase_if(t.records, [&](const trace_record& r) { return r.start < first || r.start > end; });
      result.steps = {result.steps.begin() + from, result.steps.begin() + to + 1};
    }
    for (step& s : result.steps) s = {s.start - first, s.end - first};
    for (thread& t : result.threads) {
      for (trace_record& r : t.records) {
        r.start -= first;
        if (!r.message()) r.end -= first;
        last = std::max(last, r.message() ? r.start : r.end);
      }
    }
    result.length = std::max<std::int64_t>(0, last);
  }

  /// The k-th that one rank sends under a name is the k-th that the other receives.
  void match() {
    using key = std::tuple<int, int, std::uint16_t, std::uint32_t>;  // from, to, name, number
    std::map<key, message::place> sent;
    const auto each = [&](trace_record::kind what, const auto& body) {
      for (std::size_t t = 0; t < result.threads.size(); ++t) {
        const thread& of = result.threads[t];
        for (std::size_t i = 0; i < of.records.size(); ++i)
          if (of.records[i].what == what) body(of.rank, of.records[i], message::place{t, i});
      }
    };
    each(trace_record::kind::sent, [&](int rank, const trace_record& r, const message::place& at) {
      sent[{rank, r.other, r.name, r.number()}] = at;
    });
    each(trace_record::kind::received, [&](int rank, const trace_record& r, const message::place& at) {
      const auto found = sent.find({r.other, rank, r.name, r.number()});
      if (found != sent.end()) result.messages.push_back({found->second, at});
    });
  }

  trace result;

 private:
  std::uint16_t number_of(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, static_cast<std::uint16_t>(result.names.size()));
    if (is_new) result.names.push_back(name);
    return at->second;
  }

  std::map<std::string, std::uint16_t> numbers_;
};

}  // namespace

trace read_trace(const std::string& run, const step_range& steps) {
  rank_records first = read_rank(output::record_file(run, 0));
  reader r;
  r.result.ranks = first.about.value("ranks", 1);
  r.result.version = first.about.value("version", "");
  r.result.commit = first.about.value("commit", "");
  r.result.shortest = first.about.value("shortest_ns", std::int64_t{0});
  r.result.clocks.resize(static_cast<std::size_t>(std::max(1, r.result.ranks)));
  r.add(0, first);
  for (int rank = 1; rank < r.result.ranks; ++rank) {
    rank_records next = read_rank(output::record_file(run, rank));
    r.add(rank, next);
  }
  r.cut(steps);
  r.match();
  return std::move(r.result);
}

}  // namespace rednova::trace
