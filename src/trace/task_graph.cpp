#include "trace/task_graph.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "output/durable.hpp"
#include "trace/critical_path.hpp"

namespace rednova::trace {

namespace {

using place = message::place;

std::string node_of(const place& at) { return fmt::format("t{}_{}", at.thread, at.record); }

/// What made a task ready, over messages and tasks that are left out; the mailbox of a message on the way.
struct origin {
  place task;
  std::string mailbox;
};
std::optional<origin> origin_of(const trace& t, const causes& made, const step& of, place at) {
  std::string mailbox;
  for (;;) {
    std::optional<place> next = made.of(at);
    if (next && t.at(*next).what == trace_record::kind::received) {
      mailbox = t.name(t.at(*next));
      next = made.sender(*next);
      if (next) next = made.of(*next);
    }
    if (!next || t.at(*next).message() || t.at(*next).start < of.start) return {};
    at = *next;
    if (t.at(at).end - t.at(at).start >= t.shortest && t.at(at).end <= of.end) return origin{at, mailbox};
  }
}

}  // namespace

void write_task_graph(const trace& t, const causes& made, const step& of, const std::string& path) {
  // Pieces of the path know their time and thread, no two tasks share both.
  std::set<std::pair<int, std::int64_t>> critical;
  for (const path_piece& p : critical_path(t, made, of))
    if (p.what == path_piece::kind::task) critical.emplace(p.slot + (p.rank << 16), p.start);
  std::string text = "digraph step {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n";
  for (std::size_t thread = 0; thread < t.threads.size(); ++thread) {
    const auto& there = t.threads[thread];
    for (std::size_t i = 0; i < there.records.size(); ++i) {
      const trace_record& r = there.records[i];
      const place at{thread, i};
      if (r.message() || r.id == 0 || r.start < of.start || r.end > of.end || r.end - r.start < t.shortest) continue;
      const bool red = critical.contains({there.slot + (there.rank << 16), r.start});
      const std::string label =
          fmt::format("{} {}\nrank {}, thread {}, {:.0f} µs", longest_phase(t, at, r.end), r.other, there.rank,
                      there.slot, 1e-3 * static_cast<double>(r.end - r.start));
      text += fmt::format("  {} [label={}{}];\n", node_of(at), nlohmann::json(label).dump(), red ? ", color=red" : "");
      if (const auto from = origin_of(t, made, of, at))
        text += fmt::format("  {} -> {}{};\n", node_of(from->task), node_of(at),
                            from->mailbox.empty()
                                ? ""
                                : fmt::format(" [style=dashed, label={}]", nlohmann::json(from->mailbox).dump()));
    }
  }
  output::write_file(path, text + "}\n");
}

}  // namespace rednova::trace
