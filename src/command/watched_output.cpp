#include "command/watched_output.hpp"

#include <unistd.h>

#include <cerrno>

namespace rednova::command {

namespace {

/// Writes to standard output what it takes. Says that all was written, or the stream would never write again.
ssize_t write_or_note(void* error, const char* text, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t part = write(STDOUT_FILENO, text + done, size - done);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) {
      int& first = *static_cast<int*>(error);
      if (first == 0 && errno != EPIPE) first = errno;
      break;
    }
    done += static_cast<std::size_t>(part);
  }
  return static_cast<ssize_t>(size);
}

}  // namespace

watched_output::watched_output() : before_(stdout) {
  if (isatty(STDOUT_FILENO) == 1) return;
  cookie_io_functions_t functions{};
  functions.write = write_or_note;
  if (std::FILE* watched = fopencookie(&error_, "w", functions)) stdout = watched;
}

watched_output::~watched_output() {
  if (stdout == before_) return;
  std::fclose(stdout);
  stdout = before_;
}

int watched_output::error() {
  std::fflush(stdout);
  return error_;
}

}  // namespace rednova::command
