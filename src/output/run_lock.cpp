#include "output/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/check.hpp"
#include "output/durable.hpp"

namespace rednova::output {

namespace {

/// "process 4711 on host node17", as the file says.
std::string holder() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("process {} on host {}", ::getpid(), host[0] != '\0' ? host.data() : "unknown");
}

/// What the holder has written; it may be about to.
std::string read_holder(int file) {
  std::array<char, 400> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  std::string words(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  words = words.substr(0, words.find('\n'));
  return words.empty() ? "another program" : words;
}

/// Whether the open file still has this name: the holder before may have removed it in between.
bool still_named(int file, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

}  // namespace

run_lock run_lock::take(const std::string& directory) {
  make_directory(directory);
  const std::string path = (std::filesystem::path(directory) / "run.lock").string();
  for (;;) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0)
      core::fail("{}: the run's directory cannot be written: {}; choose another with --out", directory,
                 std::strerror(errno));
    while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      if (error == EINTR) continue;
      const std::string who = read_holder(file);
      ::close(file);
      if (error == EWOULDBLOCK)
        core::fail(
            "{}: {} is writing this run: wait until it has ended, end it (Ctrl-C or kill, which leave a checkpoint), "
            "or choose another directory with --out",
            directory, who);
      fmt::print(stderr,
                 "rednova: warning: {}: cannot be locked: {}; do not start a second program on this directory\n",
                 directory, std::strerror(error));
      return {path, -1};
    }
    if (!still_named(file, path)) {
      ::close(file);
      continue;
    }
    const std::string text = holder() + '\n';
    // Only for people: the lock holds without the words, as on a full disk.
    if (::ftruncate(file, 0) == 0) [[maybe_unused]]
      const ssize_t written = ::pwrite(file, text.data(), text.size(), 0);
    return {path, file};
  }
}

run_lock::~run_lock() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());  // while it is held: who opens it now sees that its name is gone
  ::close(file_);
}

}  // namespace rednova::output
