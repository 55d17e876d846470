#include "trace/critical_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "exec/profile.hpp"

namespace rednova::trace {

namespace {

using place = message::place;

/// What the main thread of a rank did for most of a time in which the path waited for a thread: a phase of its own, or
/// a wait; "" where that is not known.
std::string main_thread_at(const trace& t, int rank, std::int64_t from, std::int64_t to) {
  for (const thread& of : t.threads) {
    if (of.rank != rank || of.slot != 0) continue;
    std::map<std::uint16_t, std::int64_t> within;
    for (const trace_record& r : of.records) {
      if (r.start >= to) break;
      if (r.message() || r.id != 0 || r.depth != 1 || r.end <= from) continue;
      within[r.name] += std::min(r.end, to) - std::max(r.start, from);
    }
    const auto most = std::ranges::max_element(within, {}, [](const auto& entry) { return entry.second; });
    if (most != within.end() && 2 * most->second > to - from) return t.names[most->first];
  }
  return "";
}

std::optional<place> last_task(const trace& t, const step& of) {
  std::optional<place> last;
  for (std::size_t thread = 0; thread < t.threads.size(); ++thread) {
    const auto& records = t.threads[thread].records;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const trace_record& r = records[i];
      if (r.message() || r.id == 0 || r.start < of.start || r.end > of.end) continue;
      if (!last || r.end > t.at(*last).end) last = place{thread, i};
    }
  }
  return last;
}

}  // namespace

std::string longest_phase(const trace& t, const message::place& task, std::int64_t until) {
  const thread& of = t.threads[task.thread];
  const trace_record& r = of.records[task.record];
  std::map<std::uint16_t, std::int64_t> within;
  for (std::size_t i = task.record + 1; i < of.records.size() && of.records[i].start < std::min(r.end, until); ++i) {
    const trace_record& inner = of.records[i];
    if (!inner.message() && inner.depth == r.depth + 1) within[inner.name] += std::min(inner.end, until) - inner.start;
  }
  const auto most = std::ranges::max_element(within, {}, [](const auto& entry) { return entry.second; });
  return most != within.end() ? t.names[most->first] : t.name(r);
}

std::vector<path_piece> critical_path(const trace& t, const causes& made, const step& of) {
  std::vector<path_piece> path;
  std::optional<place> at = last_task(t, of);
  std::int64_t until = at ? t.at(*at).end : 0;  // what comes after belongs to the pieces that are there
  while (at && t.at(*at).start >= of.start) {
    const trace_record& r = t.at(*at);
    const thread& there = t.threads[at->thread];
    const auto add = [&](path_piece::kind what, std::int64_t start, std::int64_t end, std::string name, int number) {
      path.push_back({what, there.rank, there.slot, start, std::max(start, end), std::move(name), number});
    };
    std::optional<place> next;
    if (r.what == trace_record::kind::received) {
      next = made.sender(*at);
      if (next) add(path_piece::kind::message, t.at(*next).start, r.start, t.name(r), -1);
    } else if (r.what == trace_record::kind::sent) {
      next = made.of(*at);  // the time from its post to here is that of the main thread, which sends
    } else {
      add(path_piece::kind::task, r.start, until, longest_phase(t, *at, until), r.other);
      next = made.of(*at);
    }
    if (!next) break;
    // A task makes others ready within its time, or at its end: what lies between is waiting for a thread.
    const trace_record& cause = t.at(*next);
    const std::int64_t ready = cause.message() ? cause.start : std::min(cause.end, r.start);
    if (r.what != trace_record::kind::received && ready < r.start)
      add(path_piece::kind::queue, ready, r.start, main_thread_at(t, there.rank, ready, r.start), -1);
    until = ready;
    at = next;
  }
  std::ranges::reverse(path);
  return path;
}

std::string describe(const std::vector<path_piece>& path, const step& of, std::size_t most_pieces) {
  constexpr double ms = 1e-6;
  const auto name_of = [](const path_piece& p) {
    if (p.what == path_piece::kind::queue)
      return p.name.empty() ? std::string("waited for a thread") : fmt::format("main thread: {}", p.name);
    return p.what == path_piece::kind::message ? "message of " + p.name : p.name;
  };
  struct row {
    std::int64_t time = 0, pieces = 0;
  };
  std::map<std::string, row> rows;
  std::int64_t known = 0;
  for (const path_piece& p : path) {
    row& r = rows[name_of(p)];
    r.time += p.end - p.start;
    ++r.pieces;
    known += p.end - p.start;
  }
  const std::int64_t whole = of.end - of.start;
  std::vector<std::pair<std::string, row>> sorted(rows.begin(), rows.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  std::string text =
      fmt::format("A step of {:.3f} ms; the last part of it, {:.3f} ms, has a known path of {} pieces:\n\n",
                  ms * static_cast<double>(whole), ms * static_cast<double>(known), path.size());
  text += fmt::format("{:<40}{:>10}{:>10}{:>9}\n", "what", "ms", "share", "pieces");
  for (const auto& [name, r] : sorted)
    text += fmt::format("{:<40}{:>10.3f}{:>8.1f} %{:>9}\n", name, ms * static_cast<double>(r.time),
                        whole > 0 ? 100.0 * static_cast<double>(r.time) / static_cast<double>(whole) : 0.0, r.pieces);
  text += fmt::format("\n{:>12}{:>12}  {:<6}{:<8}{}\n", "from ms", "for ms", "rank", "thread", "what");
  for (std::size_t i = path.size() > most_pieces ? path.size() - most_pieces : 0; i < path.size(); ++i) {
    const path_piece& p = path[i];
    text += fmt::format("{:>12.3f}{:>12.3f}  {:<6}{:<8}{}{}\n", ms * static_cast<double>(p.start - of.start),
                        ms * static_cast<double>(p.end - p.start), p.rank, p.slot, name_of(p),
                        p.number >= 0 ? fmt::format(" (task {})", p.number) : "");
  }
  return text;
}

}  // namespace rednova::trace
