// Signals outside of a run's steps: a reader that leaves, and an end before there is anything to save.
#pragma once

#include <csignal>

namespace rednova::command {

/// While it lives, a closed pipe (`rednova run … | head`) ends nothing: what is printed goes nowhere from then on. The
/// files tell all.
class reader_may_leave {
 public:
  reader_may_leave();
  reader_may_leave(const reader_may_leave&) = delete;
  reader_may_leave& operator=(const reader_may_leave&) = delete;
  ~reader_may_leave();

 private:
  struct sigaction before_ {};
};

/// While it lives, SIGINT, SIGTERM or SIGHUP end the program at once, with 128 + the signal's number, after a line that
/// says that only the initial model was lost.
class model_interrupted {
 public:
  model_interrupted();
  model_interrupted(const model_interrupted&) = delete;
  model_interrupted& operator=(const model_interrupted&) = delete;
  ~model_interrupted();

 private:
  struct sigaction before_[3]{};
};

}  // namespace rednova::command
