#include "command/evolve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "diagnose/progress.hpp"
#include "step/driver.hpp"

namespace rednova::command {

namespace {

// The one global variable: a signal handler can reach nothing else.
volatile std::sig_atomic_t signal_received = 0;

extern "C" void note_signal(int number) { signal_received = number; }

/// While it lives, the first SIGINT or SIGTERM is noted; a second one acts as if nobody listened.
class signals_noted {
 public:
  signals_noted() {
    struct sigaction note {};
    note.sa_handler = note_signal;
    note.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&note.sa_mask);
    sigaction(SIGINT, &note, &interrupt_);
    sigaction(SIGTERM, &note, &terminate_);
  }
  signals_noted(const signals_noted&) = delete;
  signals_noted& operator=(const signals_noted&) = delete;
  ~signals_noted() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  struct sigaction interrupt_ {
  }, terminate_{};
};

}  // namespace

int evolve(step::simulation& s, output::run_files& files, const std::string& directory) {
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  diagnose::progress progress(stdout, terminal ? diagnose::display::terminal : diagnose::display::log);
  const signals_noted listening;
  const step::stop_reason why = step::run(s, {&files, &progress}, signal_received);
  const bool signalled = why == step::stop_reason::interrupted || why == step::stop_reason::terminated;
  if (signalled || why == step::stop_reason::max_hours)
    fmt::print("\nA checkpoint is written. Go on with: rednova restart {}\n", directory);
  else
    fmt::print("\nThe files are in {}\n", directory);
  std::fflush(stdout);
  return signalled ? 128 + signal_received : success;
}

int threads_of(const job& what) { return what.threads > 0 ? what.threads : oneapi::tbb::task_arena::automatic; }

}  // namespace rednova::command
