// The letters of an exchange over a pattern, and the mailbox that carries them.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exchange/pattern.hpp"
#include "exec/mailbox.hpp"

namespace rednova::exchange {

/// One letter to each rank that wants something, one from each that has it. Their mailbox is opened by the first use.
class letter_box {
 public:
  letter_box() = default;
  /// fields: numbers of each place that the pattern names. memory: where letters stand.
  letter_box(exec::context& where, std::string name, std::shared_ptr<const pattern> what, int fields,
             exec::letter_memory memory = exec::host_memory);
  /// The same letters in a mailbox of their own, which stand elsewhere. where(bytes, letters_stand): as
  /// letters() of exec/place.hpp.
  using memory_of_place = std::function<std::shared_ptr<std::byte[]>(std::size_t bytes, exec::letters_stand)>;
  letter_box standing_in(const memory_of_place& where) const;

  const pattern& what() const { return *what_; }
  int fields() const { return fields_; }
  /// The ranks with whom letters are exchanged; p = 0 … peers()-1 are their places in the mailbox.
  int peers() const { return static_cast<int>(ends_.size()); }
  /// What goes there and what comes from there; null if nothing does.
  const pattern::message* out(int p) const { return ends_[static_cast<std::size_t>(p)].out; }
  const pattern::message* in(int p) const { return ends_[static_cast<std::size_t>(p)].in; }

  /// The mailbox; null where one rank is alone. The first call opens it: all ranks make these in the same order, each
  /// from its main thread and not within a task.
  exec::mailbox* open();
  /// Waits on the main thread, which looks after messages; the time counts as waiting for messages.
  void wait(const exec::event& e);
  /// What a destructor cannot throw: whoever waits for messages next does.
  void fail_later(std::exception_ptr why);

 private:
  struct end {
    const pattern::message* out = nullptr;
    const pattern::message* in = nullptr;
  };

  exec::context* where_ = nullptr;
  std::string name_;
  std::shared_ptr<const pattern> what_;
  int fields_ = 0;
  exec::letter_memory memory_;
  std::vector<end> ends_;
  std::unique_ptr<exec::mailbox> box_;
};

}  // namespace rednova::exchange
