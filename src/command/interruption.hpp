// Signals outside of a run's steps: a reader that leaves, and an end before there is anything to save.
#pragma once

#include <csignal>

namespace rednova::command {

/// Whether a signal that the program was started to ignore (nohup, a script's background) stays ignored.
enum class when_ignored { stay, answer };

/// While it lives, a handler answers a signal; then what was before does again.
class answered_signal {
 public:
  /// flags: of sigaction.
  answered_signal(int number, void (*answer)(int), when_ignored what, int flags = 0);
  answered_signal(const answered_signal&) = delete;
  answered_signal& operator=(const answered_signal&) = delete;
  ~answered_signal();

 private:
  int number_;
  struct sigaction before_ {};
};

/// While it lives, a closed pipe (`rednova run … | head`) ends nothing: what is printed goes nowhere from then on. The
/// files tell all.
class reader_may_leave {
 public:
  reader_may_leave();

 private:
  answered_signal pipe_;
};

/// While it lives, SIGINT, SIGTERM or SIGHUP end the program at once, with 128 + the signal's number, after a line that
/// says that only the initial model was lost.
class model_interrupted {
 public:
  model_interrupted();

 private:
  answered_signal interrupt_, terminate_, hang_up_;
};

}  // namespace rednova::command
