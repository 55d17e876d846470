// What is said where a signal ends the program before there is anything to save.
#pragma once

#include <csignal>

namespace rednova::command {

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
