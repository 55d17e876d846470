#include "trace/critical_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "exec/profile.hpp"

namespace rednova::trace {

namespace {

using place = message::place;

constexpr const char* between_phases = "between phases";

const thread* main_thread(const trace& t, int rank) {
  const auto is_it = [rank](const thread& of) { return of.rank == rank && of.slot == 0; };
  const auto found = std::ranges::find_if(t.threads, is_it);
  return found != t.threads.end() ? &*found : nullptr;
}

/// What a thread did for most of a part of a scope that looks for tasks: a phase or wait there, or the look itself; ""
/// where it worked at tasks, or where nothing took most.
std::string most_among_tasks(const trace& t, const thread& of, const trace_record& loop, std::int64_t from,
                             std::int64_t to) {
  std::map<std::uint16_t, std::int64_t> within{{loop.name, to - from}};
  for (const trace_record& r : of.records) {
    if (r.start >= to) break;
    if (r.message() || r.depth != loop.depth + 1 || r.end <= from) continue;
    const std::int64_t length = std::min(r.end, to) - std::max(r.start, from);
    within[loop.name] -= length;
    if (r.id == 0) within[r.name] += length;
  }
  const auto most = std::ranges::max_element(within, {}, [](const auto& entry) { return entry.second; });
  return 2 * most->second > to - from ? t.names[most->first] : "";
}

/// Appends what the main thread of a rank did from one time to another, the latest first: its phases, and what lies
/// between them.
void add_main_thread(const trace& t, int rank, std::int64_t from, std::int64_t to, std::vector<path_piece>& path) {
  const auto add = [&](std::int64_t start, std::int64_t end, std::string name) {
    if (start < end) path.push_back({path_piece::kind::queue, rank, 0, start, end, std::move(name)});
  };
  const thread* const of = main_thread(t, rank);
  std::vector<const trace_record*> outermost;
  if (of != nullptr)
    for (const trace_record& r : of->records)
      if (!r.message() && r.id == 0 && r.depth == 1 && r.start < to && r.end > from) outermost.push_back(&r);
  std::int64_t until = to;
  for (auto r = outermost.rbegin(); r != outermost.rend(); ++r) {
    const std::int64_t start = std::max((*r)->start, from), end = std::min((*r)->end, until);
    add(end, until, between_phases);
    const bool loop = t.name(**r) == exec::phases::loop;
    if (start < end) add(start, end, loop ? most_among_tasks(t, *of, **r, start, end) : t.name(**r));
    until = std::min(until, start);
  }
  add(from, until, between_phases);
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
  std::int64_t until = at ? t.at(*at).end : of.start;  // what comes after belongs to the pieces that are there
  add_main_thread(t, 0, until, of.end, path);
  while (at) {
    const trace_record& r = t.at(*at);
    const thread& there = t.threads[at->thread];
    const auto add = [&](path_piece::kind what, std::int64_t start, std::int64_t end, std::string name, int number) {
      path.push_back({what, there.rank, there.slot, start, std::max(start, end), std::move(name), number});
    };
    const bool received = r.what == trace_record::kind::received;
    std::optional<place> next = received ? made.sender(*at) : made.of(*at);
    if (next && t.at(*next).start < of.start) next.reset();
    // The time from a message's post to its sending is that of the main thread, which sends.
    if (!r.message()) add(path_piece::kind::task, r.start, until, longest_phase(t, *at, until), r.other);
    if (received && next) add(path_piece::kind::message, t.at(*next).start, r.start, t.name(r), -1);
    if (received && std::ranges::binary_search(t.missing, r.other)) {
      add(path_piece::kind::not_traced, of.start, r.start, fmt::format("rank {}", r.other), -1);
      break;
    }
    // Of what began before the step, or is not known, the main thread's time up to here is all that there is.
    if (!next) {
      add_main_thread(t, there.rank, of.start, r.start, path);
      break;
    }
    // A task makes others ready within its time, or at its end: what lies between is waiting for a thread.
    const trace_record& cause = t.at(*next);
    const std::int64_t ready = cause.message() ? cause.start : std::min(cause.end, r.start);
    if (!received) add_main_thread(t, there.rank, ready, r.start, path);
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
    if (p.what == path_piece::kind::not_traced) return fmt::format("not in the trace: {}", p.name);
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
  std::string text = fmt::format("A step of {:.3f} ms; {:.3f} ms of it are a path of {} pieces:\n\n",
                                 ms * static_cast<double>(whole), ms * static_cast<double>(known), path.size());
  text += fmt::format("{:<40}{:>10}{:>10}{:>9}\n", "what", "ms", "share", "pieces");
  for (const auto& [name, r] : sorted)
    text += fmt::format("{:<40}{:>10.3f}{:>8.1f} %{:>9}\n", name, ms * static_cast<double>(r.time),
                        whole > 0 ? 100.0 * static_cast<double>(r.time) / static_cast<double>(whole) : 0.0, r.pieces);
  const std::size_t left_out = path.size() > most_pieces ? path.size() - most_pieces : 0;
  if (left_out > 0) text += fmt::format("\nThe last {} pieces ({} before them are left out):\n", most_pieces, left_out);
  text += fmt::format("\n{:>12}{:>12}  {:<6}{:<8}{}\n", "from ms", "for ms", "rank", "thread", "what");
  for (std::size_t i = left_out; i < path.size(); ++i) {
    const path_piece& p = path[i];
    text += fmt::format("{:>12.3f}{:>12.3f}  {:<6}{:<8}{}{}\n", ms * static_cast<double>(p.start - of.start),
                        ms * static_cast<double>(p.end - p.start), p.rank, p.slot, name_of(p),
                        p.number >= 0 ? fmt::format(" (task {})", p.number) : "");
  }
  return text;
}

}  // namespace rednova::trace
