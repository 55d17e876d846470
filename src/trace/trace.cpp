#include "trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <tuple>

#include "core/check.hpp"
#include "exec/profile.hpp"
#include "output/packed_records.hpp"
#include "output/trace_file.hpp"

namespace rednova::trace {

namespace {

using output::trace_part;

/// What a rank's file says beside its records.
struct rank_head {
  nlohmann::json about;
  std::map<std::uint32_t, std::map<std::uint32_t, std::string>> names;  // [slot][number]
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

void add_part(rank_head& to, trace_part what, std::span<const char> bytes, const std::string& path) {
  switch (what) {
    case trace_part::about:
      to.about = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
      return;
    case trace_part::name: {
      const auto of = take<output::trace_part_name>(bytes, path);
      to.names[of.slot][of.number] = std::string(bytes.begin(), bytes.end());
      return;
    }
    case trace_part::records:
      return;
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

/// Whether the first `size` bytes of a file end as those of a run that came to its end.
bool has_its_end(std::ifstream& in, std::uintmax_t size) {
  constexpr std::uintmax_t last = sizeof(output::trace_part_head) + sizeof(std::int64_t);
  output::trace_part_head head{};
  in.clear();
  return size >= last && in.seekg(static_cast<std::streamoff>(size - last)) &&
         in.read(reinterpret_cast<char*>(&head), sizeof head) && head.what == trace_part::lost &&
         head.bytes == sizeof(std::int64_t);
}

/// Calls body(what, bytes) for each part of a file: traces are longer than the memory may be. Of a run that still goes
/// on, those that are there now.
template <class Body>
void for_parts(const std::string& path, const Body& body) {
  std::ifstream in(path, std::ios::binary);
  if (!in) core::fail("{}: cannot be read: is this a run with --trace?", path);
  output::trace_part_head head{};
  std::vector<char> bytes;
  const std::uintmax_t size = std::filesystem::file_size(path);
  std::uintmax_t at = 0;
  while (size - at >= sizeof head && in.read(reinterpret_cast<char*>(&head), sizeof head)) {
    const bool first = at == 0;
    at += sizeof head;
    const bool all_there = head.bytes <= size - at;
    if (!all_there && !first) {
      if (has_its_end(in, size)) core::fail("{}: it breaks off before its end: the file is damaged", path);
      return;  // the run was killed
    }
    bytes.resize(all_there ? head.bytes : 0);
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!all_there || output::sum_of(head, std::as_bytes(std::span(bytes))) != head.sum) {
      if (first) core::fail("{}: no records of a trace, those of another version of Rednova, or damaged ones", path);
      core::fail("{}: its check sum is not that of its bytes {} to {}: the file is damaged", path, at, at + head.bytes);
    }
    at += head.bytes;
    body(head.what, std::span<const char>(bytes));
  }
}

rank_head read_head(const std::string& path) {
  rank_head found;
  for_parts(path, [&](trace_part what, std::span<const char> bytes) { add_part(found, what, bytes, path); });
  if (!found.about.is_object() || found.about.value("format", 0) != output::trace_format)
    core::fail("{}: no records of a trace, or those of another version of Rednova", path);
  return found;
}

/// Calls body(slot, record) for each record of a file.
template <class Body>
void for_records(const std::string& path, const Body& body) {
  for_parts(path, [&](trace_part what, std::span<const char> bytes) {
    if (what != trace_part::records) return;
    const auto of = take<output::trace_part_records>(bytes, path);
    const auto records = output::unpacked(bytes, of.count);
    if (!records) core::fail("{}: records of it cannot be read: the file is damaged", path);
    for (const trace_record& r : *records) body(static_cast<std::int64_t>(of.slot), r);
  });
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

/// From when to when, by the clock of rank 0.
struct window {
  std::int64_t first = std::numeric_limits<std::int64_t>::min(), last = std::numeric_limits<std::int64_t>::max();
};

class reader {
 public:
  reader(const std::string& run, const step_range& wanted) : run_(run) {
    heads_.push_back(read_head(output::record_file(run, 0)));
    const nlohmann::json& about = heads_[0].about;
    result.ranks = std::max(1, about.value("ranks", 1));
    result.version = about.value("version", "");
    result.commit = about.value("commit", "");
    result.started = about.value("started_ns", std::int64_t{0});
    result.share = about.value("share", 1.0);
    result.shortest = about.value("shortest_ns", std::int64_t{0});
    result.clocks.resize(static_cast<std::size_t>(result.ranks));
    for (int rank = 1; rank < result.ranks; ++rank) heads_.push_back(head_of(rank));
    const window of = window_of(wanted);
    for (int rank = 0; rank < result.ranks; ++rank) {
      if (std::ranges::binary_search(result.missing, rank))
        result.threads.push_back({rank, 0, -1, {}});
      else
        add(rank, of);
    }
    start_at_zero();
    match();
  }

  trace result;

 private:
  /// Empty of a rank whose file is not there, as when the files of another machine were left behind.
  rank_head head_of(int rank) {
    const std::string path = output::record_file(run_, rank);
    if (!std::filesystem::exists(path)) {
      result.missing.push_back(rank);
      return {};
    }
    rank_head found = read_head(path);
    if (found.about.value("started_ns", std::int64_t{0}) != result.started)
      core::fail("{}: it is of another start of the run than that of rank 0: move it away", path);
    return found;
  }

  /// Notes the steps that are wanted.
  window window_of(const step_range& wanted) {
    std::map<std::uint32_t, std::string>& names = heads_[0].names[0];
    for_records(output::record_file(run_, 0), [&](std::int64_t slot, const trace_record& r) {
      if (slot == 0 && !r.message() && names[r.name] == exec::phases::step) result.steps.push_back({r.start, r.end});
    });
    const auto count = static_cast<std::int64_t>(result.steps.size());
    if (wanted.first <= 0 && wanted.last >= count - 1) return {};
    if (wanted.first >= count || wanted.last < wanted.first)
      core::fail("the trace has {} steps, numbered from 0; there is none from {} to {}", count, wanted.first,
                 wanted.last);
    const std::int64_t from = std::max<std::int64_t>(0, wanted.first), to = std::min(wanted.last, count - 1);
    result.steps = {result.steps.begin() + from, result.steps.begin() + to + 1};
    return {result.steps.front().start, result.steps.back().end};
  }

  void add(int rank, const window& wanted) {
    rank_head& head = heads_[static_cast<std::size_t>(rank)];
    const set_clock set(head.clocks);
    if (!head.clocks.empty()) {
      const auto trip = [](const output::trace_part_clock& c) { return c.last_of_0 - c.first_of_0; };
      result.clocks[static_cast<std::size_t>(rank)] = {set.first, set.last,
                                                       std::max(trip(head.clocks.front()), trip(head.clocks.back()))};
    }
    result.lost += head.lost.value_or(0);
    result.complete = result.complete && head.lost.has_value();
    std::map<std::int64_t, std::vector<trace_record>> threads{{0, {}}};
    for_records(output::record_file(run_, rank), [&](std::int64_t slot, trace_record r) {
      r.start = set(r.start);
      if (r.start < wanted.first || r.start > wanted.last) return;
      if (!r.message()) r.end = set(r.end);
      r.name = number_of(head.names[static_cast<std::uint32_t>(slot)][r.name]);
      threads[slot].push_back(r);
    });
    const std::int64_t first_queue = head.about.value("threads", std::numeric_limits<std::int64_t>::max());
    for (auto& [slot, records] : threads) {
      std::ranges::sort(records, before);
      const int queue = slot < first_queue ? -1 : static_cast<int>(slot - first_queue);
      result.threads.push_back({rank, static_cast<int>(slot), queue, std::move(records)});
    }
  }

  void start_at_zero() {
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    std::int64_t first = none;
    for (const thread& t : result.threads)
      if (!t.records.empty()) first = std::min(first, t.records.front().start);
    if (first == none) first = 0;  // it was killed before its first record
    for (const clock_setting& c : result.clocks) result.origins.push_back(first - c.first);
    for (step& s : result.steps) s = {s.start - first, s.end - first};
    for (thread& t : result.threads) {
      for (trace_record& r : t.records) {
        r.start -= first;
        if (!r.message()) r.end -= first;
        result.length = std::max(result.length, r.message() ? r.start : r.end);
      }
    }
  }

  /// By the numbers that messages have on both ends; of those that have the same, which come again after thousands,
  /// the nearest in time.
  void match() {
    using key = std::tuple<int, int, std::uint16_t, std::uint32_t>;  // from, to, name, number
    std::multimap<key, message::place> sent;
    const auto each = [&](trace_record::kind what, const auto& body) {
      for (std::size_t t = 0; t < result.threads.size(); ++t) {
        const thread& of = result.threads[t];
        for (std::size_t i = 0; i < of.records.size(); ++i)
          if (of.records[i].what == what) body(of.rank, of.records[i], message::place{t, i});
      }
    };
    each(trace_record::kind::sent, [&](int rank, const trace_record& r, const message::place& at) {
      sent.emplace(key{rank, r.other, r.name, r.number()}, at);
    });
    each(trace_record::kind::received, [&](int rank, const trace_record& r, const message::place& at) {
      const auto [first, last] = sent.equal_range({r.other, rank, r.name, r.number()});
      const auto apart = [&](const auto& s) { return std::abs(r.start - result.at(s.second).start); };
      const auto nearest = std::ranges::min_element(std::ranges::subrange(first, last), {}, apart);
      if (nearest != last) result.messages.push_back({nearest->second, at});
    });
  }

  std::uint16_t number_of(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, static_cast<std::uint16_t>(result.names.size()));
    if (is_new) result.names.push_back(name);
    return at->second;
  }

  const std::string& run_;
  std::vector<rank_head> heads_;  // [rank]
  std::map<std::string, std::uint16_t> numbers_;
};

}  // namespace

std::string thread::label() const {
  if (on_device()) return fmt::format("device, queue {}", queue);
  return slot == 0 ? "main thread" : fmt::format("thread {}", slot);
}

trace read_trace(const std::string& run, const step_range& steps) { return std::move(reader(run, steps).result); }

}  // namespace rednova::trace
