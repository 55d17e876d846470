// The messages of a communication plan, and the mailbox that carries them.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exchange/communication_plan.hpp"
#include "exec/mailbox.hpp"

namespace rednova::exchange {

/// One message to each rank that asked for numbers, one from each that was asked. Their mailbox is opened by the first
/// use.
class message_buffers {
 public:
  message_buffers() = default;
  /// fields: fields of each number that the plan names. memory: where the messages are stored.
  message_buffers(exec::context& context, std::string name, std::shared_ptr<const communication_plan> what, int fields,
                  exec::make_message_memory memory = exec::host_memory);
  /// The same messages in a mailbox of their own, stored by `memory`: messages() of an execution space
  /// (exec/space.hpp).
  using memory_of_space = std::function<std::shared_ptr<std::byte[]>(std::size_t bytes, exec::message_memory)>;
  message_buffers stored_by(const memory_of_space& memory) const;

  const communication_plan& what() const { return *what_; }
  int fields() const { return fields_; }
  /// The ranks with whom messages are exchanged; p = 0 … peers()-1 are their numbers in the mailbox.
  int peers() const { return static_cast<int>(ends_.size()); }
  /// What goes there and what comes from there; null if nothing does.
  const communication_plan::message* out(int p) const { return ends_[static_cast<std::size_t>(p)].out; }
  const communication_plan::message* in(int p) const { return ends_[static_cast<std::size_t>(p)].in; }

  /// The mailbox; null where one rank is alone. The first call opens it: all ranks make these in the same order, each
  /// from its main thread and not within a task.
  exec::mailbox* open();
  /// Waits on the main thread, which looks after messages; the time counts as waiting for messages.
  void wait(const exec::event& e);
  /// Waits for the next message of p. Of a trace: what the task does from here on has that as its cause.
  void wait_for_arrival(int p);
  /// What a destructor cannot throw: whoever waits for messages next does.
  void fail_later(std::exception_ptr why);

 private:
  struct end {
    const communication_plan::message* out = nullptr;
    const communication_plan::message* in = nullptr;
  };

  exec::context* context_ = nullptr;
  std::string name_;
  std::shared_ptr<const communication_plan> what_;
  int fields_ = 0;
  exec::make_message_memory memory_;
  std::vector<end> ends_;
  std::unique_ptr<exec::mailbox> box_;
};

}  // namespace rednova::exchange
