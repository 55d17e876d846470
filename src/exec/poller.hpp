// What the main thread looks at while it has nothing else to do.
#pragma once

namespace rednova::exec {

/// Messages, completion queues, events of a GPU: looked at by the main thread between tasks and while it waits.
class poller {
 public:
  virtual ~poller() = default;
  /// Handles what has come; true if there was something. Never blocks.
  virtual bool progress() = 0;
  /// There has been nothing to do for that long (seconds), told about every millisecond; may throw to end the wait.
  virtual void idle(double /*seconds*/) {}
  /// The wait of that many seconds ended with the last progress().
  virtual void waited(double /*seconds*/) {}
};

}  // namespace rednova::exec
