#include <fmt/format.h>

#include <filesystem>

#include "command/command.hpp"
#include "core/check.hpp"
#include "output/advice.hpp"
#include "output/trace_file.hpp"
#include "trace/critical_path.hpp"
#include "trace/load.hpp"
#include "trace/otf2_archive.hpp"
#include "trace/perfetto.hpp"
#include "trace/task_graph.hpp"

namespace rednova::command {

namespace {

void say_what_is_there(const trace::trace& t, const std::string& run) {
  std::size_t records = 0, kernels = 0, threads = 0;
  for (const trace::thread& of : t.threads) {
    (of.on_device() ? kernels : records) += of.records.size();
    if (!of.on_device()) ++threads;
  }
  fmt::print("{} rank{}, {} threads, {} steps, {} records, {} messages{}\n", t.ranks, t.ranks == 1 ? "" : "s", threads,
             t.steps.size(), records, t.messages.size(),
             kernels > 0 ? fmt::format(", {} kernels and copies on devices", kernels) : "");
  for (const int rank : t.missing)
    fmt::print("There is no {}: nothing of rank {}.\n", output::record_file(run, rank), rank);
  if (!t.complete)
    fmt::print(
        "The records end early, as where a run was killed or its disk was full: this is what its ranks had written.\n");
  if (t.share < 1) fmt::print("Of all tasks {} % were noted, picked at random, and no messages.\n", 100 * t.share);
  if (t.lost > 0) fmt::print("{} records found no room and are missing.\n", t.lost);
  for (std::size_t rank = 0; rank < t.clocks.size(); ++rank) {
    const trace::clock_setting& c = t.clocks[rank];
    if (c.first == 0 && c.last == 0) continue;
    fmt::print("The clock of rank {} was set by {} ns at the start and {} ns at the end, known to {} ns.\n", rank,
               c.first, c.last, c.round_trip / 2);
  }
}

}  // namespace

int trace(const trace_job& what) {
  const rednova::trace::trace t = rednova::trace::read_trace(what.directory, what.steps);
  say_what_is_there(t, what.directory);
  if (what.critical_path || !what.graph.empty()) {
    if (t.share < 1)
      core::fail("{}: a run with --trace-tasks has not noted what waits for what; trace a run with --trace for that",
                 what.directory);
    if (t.steps.empty()) core::fail("{}: no step has ended while the trace was on", what.directory);
    const rednova::trace::causes made(t);
    constexpr std::size_t pieces = 100;
    if (what.critical_path)
      fmt::print("\n{}", describe(critical_path(t, made, t.steps.front()), t.steps.front(), pieces));
    if (!what.graph.empty()) {
      write_task_graph(t, made, t.steps.front(), what.graph);
      fmt::print("{}: for Graphviz: dot -Tsvg {} > tasks.svg\n", what.graph, output::shell_word(what.graph));
    }
    return success;
  }
  const std::filesystem::path folder = output::trace_folder(what.directory);
  const std::string events = (folder / "trace.json").string();
  const auto load = rednova::trace::read_load(what.directory, t);
  write_trace_events(t, load, events);
  write_archive(t, load, folder.string());
  fmt::print(
      "{}: for viewers of trace events, such as https://ui.perfetto.dev (which opens it on your machine)\n{}: for "
      "Vampir, ViTE and other "
      "readers of OTF2\n",
      events, (folder / "traces.otf2").string());
  return success;
}

}  // namespace rednova::command
