#include "command/watched_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <initializer_list>

namespace rednova::command {

namespace {

struct stream {
  int file;
  int first_error = 0;
};

stream out{STDOUT_FILENO}, errors{STDERR_FILENO};

/// Writes to a stream what it takes. Says that all was written, or the stream would never write again.
ssize_t write_or_note(void* cookie, const char* text, std::size_t size) {
  stream& to = *static_cast<stream*>(cookie);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t part = write(to.file, text + done, size - done);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0 && errno == EAGAIN) {
      pollfd room{to.file, POLLOUT, 0};  // whoever gave us the stream does not want to wait; we do
      if (poll(&room, 1, -1) > 0) continue;
    }
    if (part < 0) {
      if (to.first_error == 0 && errno != EPIPE) to.first_error = errno;
      break;
    }
    done += static_cast<std::size_t>(part);
  }
  return static_cast<ssize_t>(size);
}

/// Opens /dev/null for those of the three standard streams that are closed: the next file would get the number, and
/// what is printed would be written into it.
void fill_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF) [[maybe_unused]]
      const int lowest = open("/dev/null", O_RDWR);  // stays open: the smallest number that is free
  }
}

/// The stream that writes to one of these; null if there is no memory for it.
std::FILE* watched(stream& to) {
  cookie_io_functions_t functions{};
  functions.write = write_or_note;
  return fopencookie(&to, "w", functions);
}

}  // namespace

void watch_output() {
  fill_standard_streams();
  // Never closed: libraries remember what the streams were and flush that when the process exits (UCX does).
  if (isatty(STDOUT_FILENO) != 1) {
    if (std::FILE* file = watched(out)) stdout = file;
  }
  if (isatty(STDERR_FILENO) == 1) return;
  if (std::FILE* file = watched(errors)) {
    std::setvbuf(file, nullptr, _IONBF, 0);
    stderr = file;
  }
}

int output_error() {
  std::fflush(stdout);
  return out.first_error;
}

}  // namespace rednova::command
