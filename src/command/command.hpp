// What the program `rednova` can be asked to do: one function for each subcommand.
#pragma once

#include <string>
#include <vector>

#include "exec/transport.hpp"
#include "output/provenance.hpp"
#include "scaling/report.hpp"
#include "trace/trace.hpp"

namespace rednova::command {

/// Exit codes. After a signal the program exits with 128 + its number, as shells do.
enum exit_code { success = 0, internal_error = 1, user_mistake = 2 };

/// What carries out steps; automatic: a GPU where there is one that can.
enum class device_choice { cpu, gpu, automatic };

/// An input file with --set overrides, run on a number of threads (0: all cores) of each of the ranks that a launcher
/// has started.
struct job {
  std::string file;
  std::vector<std::string> overrides;
  int threads = 0;
  device_choice device = device_choice::cpu;
  exec::transport_options transport;
  std::string counters;  ///< file for the counters of messages; "": none
  bool profiled = true;  ///< profile.json, and the table at the end
  double traced = 0;     ///< share of tasks noted, with their scopes; 1: messages, too; 0: no trace
};

/// Evolves the problem of an input file into a directory ("" for runs/<name of the file>).
/// A directory that holds a run already is an error, so that no result is lost.
int run(const job& what, const std::string& directory);
/// Goes on from the newest checkpoint of a run directory, or from the checkpoint that is named: in its directory, or
/// in a new one and without touching the other ("" for its own).
int restart(const job& what, const std::string& directory);
/// Validates an input and prints what it would run: cells by level, memory, time; and what is to be expected on more
/// ranks.
int check(const job& what, const scaling::outlook& ahead);
/// The same from the problem alone, without its initial model and without taking a step.
int quick_check(const job& what, const scaling::outlook& ahead);
/// Prints every parameter of an input with its value, as TOML.
int show(const job& what);
/// Lists the problems.
int problems();
/// Prints the parameters of all sections and problems as the page docs/parameters.md.
int parameters();
enum class info_kind { description, digest };
/// Prints what a snapshot, a checkpoint or a run directory holds; or only the digest of a checkpoint's tree and fields,
/// of a run directory its newest checkpoint's.
int info(const std::string& path, info_kind kind);

/// A run's trace for viewers, or the critical path or the graph of tasks of the first of the steps.
struct trace_job {
  std::string directory;
  rednova::trace::step_range steps;
  bool critical_path = false;
  std::string graph;  ///< file for the tasks of the first of the steps; "": none
};
int trace(const trace_job& what);

/// The lines of --version.
std::string version_text();
/// "1.2.3".
std::string version_number();
/// What is written into each file about where it comes from.
output::provenance provenance_of(const std::string& input_text);

}  // namespace rednova::command
