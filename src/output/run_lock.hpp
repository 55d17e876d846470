// One program at a time writes a run's directory.
#pragma once

#include <string>
#include <utility>

namespace rednova::output {

/// Holds the lock of a run's directory as long as it lives: flock on the file `run.lock` there, which says who holds
/// it. The system lets go of it however the program ends, so the file that a killed run leaves locks nothing.
class run_lock {
 public:
  /// Makes the directory if it is not there. Throws core::user_error if another program holds the lock, and names
  /// directory, process, host and remedy. Where the file system has no locks, warns and holds none.
  static run_lock take(const std::string& directory);

  run_lock(run_lock&& other) noexcept : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}
  run_lock& operator=(run_lock&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
  }
  /// Removes the file and lets go.
  ~run_lock();

 private:
  run_lock(std::string path, int file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  int file_;  // descriptor, -1 without a lock
};

}  // namespace rednova::output
