// The command `rednova`: reads the command line and says what went wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <new>
#include <sstream>

#include "command/command.hpp"
#include "command/help_pages.hpp"
#include "command/interruption.hpp"
#include "command/watched_output.hpp"
#include "config/nearest.hpp"
#include "core/check.hpp"
#include "core/shortened.hpp"
#include "exec/mpi_session.hpp"
#include "output/advice.hpp"

namespace {

using namespace rednova;

void add_overrides(CLI::App* command, command::job& job) {
  command
      ->add_option("--set", job.overrides,
                   "a parameter that goes before the file's, such as mesh.max_level=4; may be repeated")
      ->type_name("SECTION.KEY=VALUE")
      ->expected(1)  // each needs its own --set
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// An empty word is a variable of a script that was not set.
CLI::Validator not_empty(const char* wanted) {
  return {[wanted](const std::string& word) { return word.empty() ? fmt::format("give {}, not \"\"", wanted) : ""; },
          ""};
}

void add_threads(CLI::App* command, command::job& job) {
  command->add_option("--threads", job.threads, "number of threads; all cores if not given")
      ->check(CLI::Range(1, 4096));
}

void add_device(CLI::App* command, command::job& job) {
  using command::device_choice;
  const std::map<std::string, device_choice> words{
      {"cpu", device_choice::cpu}, {"gpu", device_choice::gpu}, {"auto", device_choice::automatic}};
  command
      ->add_option_function<std::string>(
          "--device", [&job, words](const std::string& word) { job.device = words.at(word); },
          "what carries out the steps: cpu (the cores; so if not given), gpu, or auto: a GPU where there is one")
      ->type_name("cpu|gpu|auto")
      ->check(CLI::IsMember({"cpu", "gpu", "auto"}));
}

void add_ranks(CLI::App* command, command::job& job) {
  command
      ->add_option_function<std::string>(
          "--transport",
          [&job](const std::string& text) {
            const auto colon = text.find(':');
            const std::string carrier = text.substr(0, colon);
            if (carrier != "mpi" && carrier != "libfabric")
              throw CLI::ValidationError("--transport", "mpi or libfabric, not " + text);
            if (carrier == "mpi" && colon != std::string::npos)
              throw CLI::ValidationError("--transport", "only libfabric has providers: mpi, not " + text);
            using kind = exec::transport_options::kind;
            job.transport.carrier = carrier == "mpi" ? kind::mpi : kind::libfabric;
            if (colon != std::string::npos) job.transport.provider = text.substr(colon + 1);
          },
          "what carries messages between ranks: mpi, or libfabric with a provider of its (libfabric:tcp)")
      ->type_name("mpi|libfabric[:PROVIDER]");
  command
      ->add_option("--counters", job.counters, "write messages, bytes, waits and migrations of each rank to this file")
      ->type_name("FILE")
      ->check(not_empty("the name of a file"));
  CLI::Option* const all = command->add_flag_callback(
      "--trace", [&job] { job.traced = 1; },
      "note every scope, task and message: an OTF2 archive in trace/ of the run, and what `rednova trace` reads");
  command
      ->add_option("--trace-tasks", job.traced,
                   "note this share of tasks alone, picked at random, and no messages: for long runs")
      ->type_name("SHARE")
      ->check(CLI::Range(1e-6, 1.0))
      ->check([](const std::string& share) { return std::stod(share) < 1 ? "" : "all tasks are noted by --trace"; })
      ->excludes(all);
  command->add_flag("!--no-profile", job.profiled, "do not look where the time goes: no profile.json, no table");
}

void add_outlook(CLI::App* command, scaling::outlook& ahead) {
  const CLI::Range positive(1e-300, 1e300, "POSITIVE");
  command->add_option("--ranks", ahead.ranks, "predict step time and efficiency on these numbers of ranks")
      ->type_name("N,N…")
      ->delimiter(',')
      ->check(CLI::Range(1, 100000));
  command
      ->add_option("--trees", ahead.trees,
                   "build the meshes with these values of mesh.max_level, without fields, and predict for those")
      ->type_name("L,L…")
      ->delimiter(',')
      ->check(CLI::Range(0, 20));
  command->add_option("--latency", ahead.net.latency, "seconds that a message takes; 2e-6 if not given")
      ->type_name("S")
      ->check(positive);
  command->add_option("--bandwidth", ahead.net.bandwidth, "bytes/s in and out of a rank; 1e10 if not given")
      ->type_name("B")
      ->check(positive);
}

void add_steps(CLI::App* command, rednova::trace::step_range& steps) {
  command
      ->add_option_function<std::string>(
          "--steps",
          [&steps](const std::string& text) {
            char* end = nullptr;
            steps.first = steps.last = std::strtoll(text.c_str(), &end, 10);
            const bool from_to = *end == ':';
            if (from_to) steps.last = std::strtoll(end + 1, &end, 10);
            if (text.empty() || *end != 0 || steps.first < 0 || steps.last < steps.first)
              throw CLI::ValidationError("--steps",
                                         "a step's number in the trace, from 0 on, or FIRST:LAST, not " + text);
          },
          "of these steps of the trace alone, counted from 0")
      ->type_name("N|FIRST:LAST");
}

/// The subcommands with their options; `chosen` becomes what the user asks for.
struct command_line {
  CLI::App app{"Binary stars from the onset of mass transfer to their merger.", "rednova"};
  command::job job;
  command::trace_job traced;
  scaling::outlook ahead;
  std::string directory, file, subcommand;
  bool values = false, quick = false, digest = false;
  bool needs_ranks = false;
  std::function<int()> chosen;

  command_line() {
    app.set_version_flag("--version", [] { return command::version_text(); });
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);

    CLI::App* run = app.add_subcommand("run", "evolve the problem of an input file");
    run->add_option("file", job.file, "input file (TOML)")->required();
    add_overrides(run, job);
    run->add_option("--out", directory, "directory of the run; runs/<name of the file> if not given")
        ->type_name("DIR")
        ->check(not_empty("the name of a directory"));
    add_threads(run, job);
    add_device(run, job);
    add_ranks(run, job);
    run->callback([this] {
      needs_ranks = true;
      chosen = [this] { return command::run(job, directory); };
    });

    CLI::App* restart = app.add_subcommand("restart", "go on with a run from its newest checkpoint");
    restart->add_option("directory", job.file, "directory of the run, or one of its checkpoints")->required();
    add_overrides(restart, job);
    restart
        ->add_option("--out", directory,
                     "go on in this new directory and leave the run's own as it is; the run's own if not given")
        ->type_name("DIR")
        ->check(not_empty("the name of a directory"));
    add_threads(restart, job);
    add_device(restart, job);
    add_ranks(restart, job);
    restart->callback([this] {
      needs_ranks = true;
      chosen = [this] { return command::restart(job, directory); };
    });

    CLI::App* check =
        app.add_subcommand("check", "validate an input; print cells by level, memory and time of its run");
    check->add_option("file", job.file, "input file (TOML)")->required();
    check->add_flag("--quick", quick, "estimate blocks, steps and memory without making the initial model")
        ->excludes(check->add_flag("--values", values, "print every parameter with its value instead, as TOML"));
    add_overrides(check, job);
    add_threads(check, job);
    add_device(check, job);
    add_outlook(check, ahead);
    check->callback([this] {
      chosen = [this] {
        if (values) return command::show(job);
        return quick ? command::quick_check(job, ahead) : command::check(job, ahead);
      };
    });

    app.add_subcommand("problems", "list the problems")->callback([this] { chosen = command::problems; });
    app.add_subcommand("parameters", "print all parameters as a page of the documentation")->callback([this] {
      chosen = command::parameters;
    });

    CLI::App* trace = app.add_subcommand("trace", "make what viewers open of a run with --trace");
    trace->add_option("directory", traced.directory, "directory of the run")->required();
    add_steps(trace, traced.steps);
    trace->add_flag("--critical-path", traced.critical_path,
                    "print what a step waited for instead, task by task: of --steps the first");
    trace
        ->add_option("--graph", traced.graph,
                     "write its tasks and what made them ready for Graphviz instead: of --steps the first")
        ->type_name("FILE")
        ->check(not_empty("the name of a file"));
    trace->callback([this] { chosen = [this] { return command::trace(traced); }; });

    CLI::App* info = app.add_subcommand("info", "print what a snapshot or a checkpoint holds");
    info->add_option("file", file, "snapshot, checkpoint or directory of a run")->required();
    info->add_flag("--digest", digest,
                   "print only the digest of a checkpoint's tree and fields: equal states have equal ones");
    info->callback([this] {
      const auto kind = digest ? command::info_kind::digest : command::info_kind::description;
      chosen = [this, kind] { return command::info(file, kind); };
    });

    CLI::App* help = app.add_subcommand("help", "print the help of a subcommand, as its --help does");
    help->add_option("subcommand", subcommand, "the subcommand; all of them if not given");
    help->callback([this] { chosen = [this] { return print_help(); }; });

    // For the build, which installs what they print.
    app.add_subcommand("man-page", "print the manual page")->group("")->callback([this] {
      chosen = [this] {
        fmt::print("{}", command::man_page(app, command::version_number()));
        return command::success;
      };
    });
    app.add_subcommand("bash-completion", "print the completion for bash")->group("")->callback([this] {
      chosen = [this] {
        fmt::print("{}", command::bash_completion(app));
        return command::success;
      };
    });
  }

  std::vector<std::string> subcommands() const {
    std::vector<std::string> names;
    for (const CLI::App* one : app.get_subcommands({})) {
      if (!one->get_group().empty()) names.push_back(one->get_name());
    }
    return names;
  }

  /// A user_error where the first word names no subcommand.
  void expect_subcommand(const std::string& word) const {
    const std::vector<std::string> names = subcommands();
    if (std::ranges::any_of(app.get_subcommands({}), [&](const CLI::App* one) { return one->check_name(word); }))
      return;
    const std::string remedy = word.ends_with(".toml")
                                   ? fmt::format(" To evolve an input: rednova run {}.", output::shell_word(word))
                                   : config::did_you_mean(word, names);
    core::fail("there is no subcommand '{}'.{} There are {} (see --help)", core::shortened(word), remedy,
               fmt::join(names, ", "));
  }

  int print_help() const {
    if (!subcommand.empty()) expect_subcommand(subcommand);
    fmt::print("{}", subcommand.empty() ? app.get_formatter()->make_help(&app, "rednova", CLI::AppFormatMode::Normal)
                                        : app.get_subcommand(subcommand)->help("rednova"));
    return command::success;
  }
};

int complain(const std::string& what, int code) {
  fmt::print(stderr, "rednova: {}\n", what);
  return code;
}

/// The library's words about the command line, with long arguments cut.
std::string told(const CLI::ParseError& e, int argc, char** argv) {
  std::string what = e.what();
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i], shorter = core::shortened(argument);
    const auto at = shorter == argument ? std::string::npos : what.find(argument);
    if (at != std::string::npos) what.replace(at, argument.size(), shorter);
  }
  return fmt::format("{} (see --help)", what);
}

int answer(int argc, char** argv) {
  // Where files may not grow further (ulimit -f), a write is to fail with a message instead of ending the program.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    command_line line;
    // What a launcher has started several times and needs no ranks, the first does alone.
    const bool leads = exec::rank_of_process() == 0;
    try {
      if (argc > 1 && argv[1][0] != '-') line.expect_subcommand(argv[1]);
      line.app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      if (!leads) return e.get_exit_code() == 0 ? command::success : command::user_mistake;
      if (e.get_exit_code() != 0) return complain(told(e, argc, argv), command::user_mistake);
      std::ostringstream help;
      line.app.exit(e, help);
      fmt::print("{}", help.str());
      return command::success;
    } catch (const core::user_error&) {
      if (leads) throw;
      return command::user_mistake;
    }
    return leads || line.needs_ranks ? line.chosen() : command::success;
  } catch (const core::user_error& e) {
    return complain(e.what(), command::user_mistake);
  } catch (const std::bad_alloc&) {
    return complain(
        "not enough memory; where a mesh was made or gone on with: lower mesh.max_level or raise refine.density",
        command::user_mistake);
  } catch (const std::exception& e) {
    return complain(fmt::format("internal error, please report it: {}", e.what()), command::internal_error);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const command::reader_may_leave readers;
  command::watch_output();
  const int code = answer(argc, argv);
  const int error = command::output_error();
  if (code != command::success || error == 0) return code;
  return complain(
      fmt::format("standard output: {}: not all of it was printed; make room there, or print to another place",
                  std::strerror(error)),
      command::user_mistake);
}
