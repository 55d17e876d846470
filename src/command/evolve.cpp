#include "command/evolve.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "diagnose/progress.hpp"
#include "output/advice.hpp"
#include "step/driver.hpp"

namespace rednova::command {

namespace {

// The one global variable: a signal handler can reach nothing else.
volatile std::sig_atomic_t signal_received = 0;

extern "C" void note_signal(int number) { signal_received = number; }

/// Who read what the run prints has gone (`rednova run … | head`): it goes on without a reader. The files tell all.
extern "C" void drop_output(int) {
  const int error = errno;
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0) {
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, STDOUT_FILENO);
  }
  errno = error;
}

/// While it lives, the first SIGINT, SIGTERM or SIGHUP is noted; a second one acts as if nobody listened. A pipe that
/// is closed ends nothing.
class signals_noted {
 public:
  signals_noted() {
    struct sigaction note {};
    note.sa_handler = note_signal;
    note.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&note.sa_mask);
    sigaction(SIGINT, &note, &interrupt_);
    sigaction(SIGTERM, &note, &terminate_);
    sigaction(SIGHUP, nullptr, &hang_up_);
    if (hang_up_.sa_handler != SIG_IGN) sigaction(SIGHUP, &note, nullptr);  // nohup has said to ignore it
    struct sigaction drop {};
    drop.sa_handler = drop_output;
    sigemptyset(&drop.sa_mask);
    sigaction(SIGPIPE, &drop, &pipe_);
  }
  signals_noted(const signals_noted&) = delete;
  signals_noted& operator=(const signals_noted&) = delete;
  ~signals_noted() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
    sigaction(SIGHUP, &hang_up_, nullptr);
    sigaction(SIGPIPE, &pipe_, nullptr);
  }

 private:
  struct sigaction interrupt_ {
  }, terminate_{}, hang_up_{}, pipe_{};
};

}  // namespace

int evolve(step::simulation& s, output::run_files& files, const std::string& directory) {
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  diagnose::progress progress(stdout, terminal ? diagnose::display::terminal : diagnose::display::log);
  const signals_noted listening;
  const step::stop_reason why = step::run(s, {&files, &progress}, signal_received);
  const bool signalled = why == step::stop_reason::interrupted || why == step::stop_reason::terminated;
  if (signalled || why == step::stop_reason::max_hours)
    fmt::print("\nA checkpoint is written. Go on with: rednova restart {}\n", output::shell_word(directory));
  else
    fmt::print("\nThe files are in {}\n", directory);
  std::fflush(stdout);
  return signalled ? 128 + signal_received : success;
}

int threads_of(const job& what) { return what.threads > 0 ? what.threads : oneapi::tbb::task_arena::automatic; }

}  // namespace rednova::command
