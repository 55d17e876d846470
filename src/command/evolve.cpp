#include "command/evolve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "command/interruption.hpp"
#include "core/check.hpp"
#include "diagnose/progress.hpp"
#include "exchange/collective_error.hpp"
#include "output/advice.hpp"
#include "output/checkpoint.hpp"
#include "output/counters.hpp"
#include "output/durable.hpp"
#include "output/trace_file.hpp"
#include "step/driver.hpp"
#include "trace/load.hpp"
#include "trace/otf2_archive.hpp"

namespace rednova::command {

namespace {

// A global variable: a signal handler can reach nothing else.
volatile std::sig_atomic_t signal_received = 0;
volatile std::sig_atomic_t profile_asked = 0;

extern "C" void note_signal(int number) { signal_received = number; }
extern "C" void ask_for_profile(int) { profile_asked = 1; }
extern "C" void say_no_profile(int) {
  constexpr char words[] = "rednova: SIGUSR1 asks for the profile, and with --no-profile there is none\n";
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
  errno = error;
}

/// While it lives, the first SIGINT, SIGTERM or SIGHUP is noted; a second one acts as if nobody listened.
struct signals_noted {
  static constexpr auto once = static_cast<int>(SA_RESETHAND);
  answered_signal interrupt{SIGINT, note_signal, when_ignored::answer, once};
  answered_signal terminate{SIGTERM, note_signal, when_ignored::answer, once};
  answered_signal hang_up{SIGHUP, note_signal, when_ignored::stay, once};  // nohup has said to ignore it
};

/// Names each checkpoint in the log: a launcher may kill all ranks of a failed run before one of them can speak.
class checkpoint_notes final : public step::observer {
 public:
  explicit checkpoint_notes(std::string directory) : directory_(std::move(directory)) {}
  void after_step(const step::simulation& s) override {
    const int interval = s.par().output.checkpoint_steps;
    if (interval <= 0 || s.step() % interval != 0) return;
    fmt::print("checkpoint of step {} is written; to go on from it: rednova restart {}\n", s.step(),
               output::shell_word(directory_));
    std::fflush(stdout);
  }

 private:
  std::string directory_;
};

/// The profile so far of a run that has failed; what goes wrong with it is not to stand in for why the run did.
void say_profile(const step::simulation& s, output::profile_file* profile) noexcept {
  if (profile == nullptr || !s.context().leads()) return;
  try {
    fmt::print("{}", profile->table_so_far());
    std::fflush(stdout);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "rednova: warning: the profile so far: %s\n", e.what());
  }
}

/// Runs, and adds to what goes wrong how to go on, after the profile so far where steps were taken.
step::stop_reason run_with_advice(step::simulation& s, const std::vector<step::observer*>& observers,
                                  output::profile_file* profile, const std::string& directory) {
  const std::int64_t first = s.step();
  try {
    return step::run(s, observers, signal_received);
  } catch (const std::exception& e) {
    if (s.step() > first) say_profile(s, profile);
    const std::vector<std::string> all = output::checkpoints(directory);
    if (all.empty()) throw;
    const std::string advice = fmt::format("The last checkpoint is {}; to go on from it: rednova restart {}",
                                           all.back(), output::shell_word(directory));
    const auto with_advice = [&] { return fmt::format("{}\n{}", e.what(), advice); };
    if (dynamic_cast<const exchange::collective_error*>(&e) != nullptr) throw exchange::collective_error(with_advice());
    if (dynamic_cast<const core::user_error*>(&e) != nullptr) throw core::user_error(with_advice());
    fmt::print(stderr, "rednova: {}\n", advice);
    throw;
  }
}

/// Has a device's kernels noted in the trace, as long as this lives.
class traced_device {
 public:
  traced_device(step::device* gpu, exec::context& context) : gpu_(gpu) {
    if (gpu_ == nullptr) return;
    const std::string why_not = gpu_->start_trace(context.times());
    if (!why_not.empty())
      fmt::print(stderr, "rednova: warning: the trace has no kernels: {} (REDNOVA_CUPTI names the library)\n", why_not);
  }
  traced_device(const traced_device&) = delete;
  traced_device& operator=(const traced_device&) = delete;
  ~traced_device() {
    if (gpu_ != nullptr) gpu_->end_trace();
  }

 private:
  step::device* gpu_;
};

/// Ends the trace; rank 0 makes the archive.
void close_trace(const step::simulation& s, output::trace_file& file, const std::string& directory) {
  const std::int64_t lost = file.close();
  if (lost > 0) fmt::print(stderr, "rednova: warning: the trace lacks {} records that found no room\n", lost);
  if (!s.context().leads()) return;
  const std::string folder = output::trace_folder(directory);
  // All of it has to be in memory at once, and takes five times as much there: 2 GB.
  constexpr double most_bytes = 4e8;
  double bytes = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".records") bytes += static_cast<double>(entry.file_size(ignored));
  if (bytes > most_bytes) {
    fmt::print(
        "\nThe trace is in {}: {:.1f} GB. For an archive of some of its steps: rednova trace {} --steps FIRST:LAST\n",
        folder, 1e-9 * bytes, output::shell_word(directory));
    return;
  }
  try {
    const trace::trace t = trace::read_trace(directory);
    write_archive(t, trace::read_load(directory, t), folder);
    fmt::print("\nThe trace is in {}: {} steps, {} messages{}\n", folder, t.steps.size(), t.messages.size(),
               t.complete ? "" : "; the records of a rank end early");
    for (const int rank : t.missing)
      fmt::print(stderr, "rednova: warning: the trace has nothing of rank {}: there is no {}\n", rank,
                 output::record_file(directory, rank));
  } catch (const core::user_error& e) {
    fmt::print(stderr, "rednova: warning: {} (the run's results are not touched)\n", e.what());
  }
}

}  // namespace

profile_requests::profile_requests(const job& what)
    : signal_(SIGUSR1, what.profiled ? ask_for_profile : say_no_profile, when_ignored::stay,
              static_cast<int>(SA_RESTART)) {}

std::unique_ptr<output::profile_file> start_profile(exec::context& context, const step::device* gpu,
                                                    const output::provenance& from, const std::string& directory,
                                                    const job& what) {
  if (!what.profiled) {
    if (context.leads()) output::remove_profiles(directory);  // a restart's would be taken for this start's
    return nullptr;
  }
  return std::make_unique<output::profile_file>(context, gpu, directory, from, profile_asked);
}

int evolve(step::simulation& s, step::device* gpu, output::run_files& files, output::profile_file* profile,
           const output::provenance& from, const std::string& directory, const job& what) {
  const bool leads = s.context().leads();
  // Launchers make terminals of pipes.
  const bool terminal = isatty(STDOUT_FILENO) == 1 && s.context().ranks() == nullptr;
  const auto started = std::chrono::steady_clock::now();
  if (profile != nullptr) profile->begin_steps(s.step());
  std::optional<output::trace_file> trace;
  std::optional<traced_device> on_device;
  if (what.traced > 0) {
    const exec::profile::scope timed(s.context().times(), "start of the trace");
    trace.emplace(s.context(), directory, from, what.traced);
    on_device.emplace(gpu, s.context());
  }
  diagnose::progress progress(stdout, terminal ? diagnose::display::terminal : diagnose::display::log);
  checkpoint_notes notes(directory);
  std::vector<step::observer*> observers{&files};
  if (leads) observers.push_back(&progress);
  if (profile != nullptr) observers.push_back(profile);
  if (leads && s.context().ranks() != nullptr) observers.push_back(&notes);
  const signals_noted listening;
  const step::stop_reason why = run_with_advice(s, observers, profile, directory);
  const bool signalled = why == step::stop_reason::interrupted || why == step::stop_reason::terminated;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  output::counters counters;
  if (what.profiled) {
    const exec::profile::scope timed(s.context().times(), "counters");
    counters = output::collect_counters(s, seconds);
  }
  const std::string phases = profile != nullptr ? profile->close() : "";
  on_device.reset();
  if (trace) close_trace(s, *trace, directory);
  if (leads) {
    if (!phases.empty()) fmt::print("\n{}", phases);
    if (!counters.table.empty()) fmt::print("\n{}", counters.table);
    if (!what.counters.empty() && !counters.json.empty()) output::write_file(what.counters, counters.json);
    if (step::goes_on(why))
      fmt::print("\nA checkpoint is written. Go on with: rednova restart {}\n", output::shell_word(directory));
    else
      fmt::print("\nThe files are in {}\n", directory);
    std::fflush(stdout);
  }
  if (!signalled) return success;
  // On the other ranks than the one that got it, the signal is known by what it asked for.
  if (signal_received != 0) return 128 + signal_received;
  return 128 + (why == step::stop_reason::interrupted ? SIGINT : SIGTERM);
}

void expect_counters_possible(const job& what) {
  exec::attached_tool::expect_loadable();
  if (exec::attached_tool::asked_for() && !what.profiled)
    core::fail("KOKKOS_TOOLS_LIBS: its library hears of the profile's phases; leave out --no-profile, or unset it");
  static_cast<void>(exec::tick_clock::best());  // says what is wrong with REDNOVA_CLOCK before a run begins
  if (what.traced > 0 && !what.profiled)
    core::fail("--trace and --trace-tasks: they are made with the profile; leave out --no-profile");
  if (what.counters.empty()) return;
  if (!what.profiled)
    core::fail("--counters {}: they are counted with the profile; leave out --no-profile", what.counters);
  const std::filesystem::path file = what.counters;
  std::error_code none;
  if (std::filesystem::is_directory(file, none))
    core::fail("--counters {}: this is a directory; name a file", what.counters);
  const std::string directory = file.has_parent_path() ? file.parent_path().string() : ".";
  if (!std::filesystem::is_directory(directory, none))
    core::fail("--counters {}: there is no directory {}; make it, or name another file", what.counters, directory);
  if (access(directory.c_str(), W_OK) != 0)
    core::fail("--counters {}: cannot be written: {}; name another file", what.counters, std::strerror(errno));
}

std::string threads_text(int number) { return fmt::format("{} thread{}", number, number == 1 ? "" : "s"); }

int threads_of(const job& what) { return what.threads > 0 ? what.threads : exec::all_cores; }

}  // namespace rednova::command
