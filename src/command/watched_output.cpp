#include "command/watched_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace rednova::command {

namespace {

int first_error = 0;

/// Writes to standard output what it takes. Says that all was written, or the stream would never write again.
ssize_t write_or_note(void* /*cookie*/, const char* text, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t part = write(STDOUT_FILENO, text + done, size - done);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0 && errno == EAGAIN) {
      pollfd room{STDOUT_FILENO, POLLOUT, 0};  // whoever gave us the stream does not want to wait; we do
      if (poll(&room, 1, -1) > 0) continue;
    }
    if (part < 0) {
      if (first_error == 0 && errno != EPIPE) first_error = errno;
      break;
    }
    done += static_cast<std::size_t>(part);
  }
  return static_cast<ssize_t>(size);
}

}  // namespace

void watch_output() {
  if (isatty(STDOUT_FILENO) == 1) return;
  cookie_io_functions_t functions{};
  functions.write = write_or_note;
  // Never closed: libraries remember what stdout was and flush that when the process exits (UCX does).
  if (std::FILE* watched = fopencookie(nullptr, "w", functions)) stdout = watched;
}

int output_error() {
  std::fflush(stdout);
  return first_error;
}

}  // namespace rednova::command
