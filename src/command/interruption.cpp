#include "command/interruption.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace rednova::command {

namespace {

extern "C" void explain_and_end(int number) {
  constexpr char words[] =
      "\nrednova: interrupted while the initial model was made; nothing was written that a restart could use: start "
      "the run again\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
  _exit(128 + number);
}

extern "C" void drop_output(int) {
  const int error = errno;
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0) {
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, STDOUT_FILENO);
  }
  errno = error;
}

}  // namespace

answered_signal::answered_signal(int number, void (*answer)(int), when_ignored what, int flags) : number_(number) {
  sigaction(number_, nullptr, &before_);
  if (what == when_ignored::stay && before_.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = answer;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(number_, &action, nullptr);
}

answered_signal::~answered_signal() { sigaction(number_, &before_, nullptr); }

reader_may_leave::reader_may_leave() : pipe_(SIGPIPE, drop_output, when_ignored::answer) {}

model_interrupted::model_interrupted()
    : interrupt_(SIGINT, explain_and_end, when_ignored::stay),
      terminate_(SIGTERM, explain_and_end, when_ignored::stay),
      hang_up_(SIGHUP, explain_and_end, when_ignored::stay) {}

}  // namespace rednova::command
