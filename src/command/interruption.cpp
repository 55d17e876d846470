#include "command/interruption.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace rednova::command {

namespace {

constexpr int numbers[] = {SIGINT, SIGTERM, SIGHUP};

extern "C" void explain_and_end(int number) {
  constexpr char words[] =
      "\nrednova: interrupted while the initial model was made; nothing was written that a restart could use: start "
      "the "
      "run again\n";
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

reader_may_leave::reader_may_leave() {
  struct sigaction drop {};
  drop.sa_handler = drop_output;
  sigemptyset(&drop.sa_mask);
  sigaction(SIGPIPE, &drop, &before_);
}

reader_may_leave::~reader_may_leave() { sigaction(SIGPIPE, &before_, nullptr); }

model_interrupted::model_interrupted() {
  struct sigaction explain {};
  explain.sa_handler = explain_and_end;
  sigemptyset(&explain.sa_mask);
  for (int i = 0; i < 3; ++i) {
    sigaction(numbers[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(numbers[i], &explain, nullptr);
  }
}

model_interrupted::~model_interrupted() {
  for (int i = 0; i < 3; ++i) sigaction(numbers[i], &before_[i], nullptr);
}

}  // namespace rednova::command
