// Standard output that may be full.
#pragma once

#include <cstdio>

namespace rednova::command {

/// While it lives, what cannot be printed is dropped and noted: a run whose log has no room goes on to its end. A
/// closed pipe is no error (reader_may_leave). A terminal, which is never full, stays as it is.
class watched_output {
 public:
  watched_output();
  watched_output(const watched_output&) = delete;
  watched_output& operator=(const watched_output&) = delete;
  ~watched_output();

  /// Flushes; gives the errno of the first failure, or 0.
  int error();

 private:
  std::FILE* before_;
  int error_ = 0;
};

}  // namespace rednova::command
