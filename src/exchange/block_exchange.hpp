// An exchange of blocks' numbers between ranks that is repeated: every exchange of a step is one of these.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exchange/communication_plan.hpp"
#include "exchange/message_buffers.hpp"
#include "exec/for_each.hpp"
#include "exec/task.hpp"

namespace rednova::exchange {

/// One kind of exchange by a communication plan: one message to each rank that asked for numbers, with persistent
/// buffers.
///
///     block_exchange ghosts(context, "ghosts", plan, fields, mesh::cells);
///     ghosts.start([&](int node) { return u.at(node); });    // packs and posts
///     …                                                      // work that needs no halo copies
///     ghosts.finish([&](int node) { return u.at(node); });   // waits and unpacks
///
/// Or as tasks, one a message, beside others that wait for the nodes they read:
///
///     ghosts.add_tasks(list, {.from = …, .ready = …, .into = …, .came = …});
///
/// All ranks make, start, finish and destroy their exchanges in the same order. Without messages nothing happens, and
/// an exchange that is never started opens no mailbox.
class block_exchange {
 public:
  /// Where the numbers of a node stand.
  using source = std::function<const double*(int node)>;
  using target = std::function<double*(int node)>;

  block_exchange() = default;
  /// fields: with `stride` numbers from one to the next.
  block_exchange(exec::context& context, const std::string& name, std::shared_ptr<const communication_plan> what,
                 int fields, int stride);

  void start(const source& at);
  void finish(const target& at);
  /// Of these messages: [field][number of the message].
  const message_buffers& messages() const { return messages_; }
  int stride() const { return stride_; }

  /// An exchange as tasks.
  struct hooks {
    source from;  ///< where what goes is read
    /// Happens when what goes of a node may be read.
    std::function<exec::event&(int node)> ready;
    target into;  ///< where what comes is stored
    /// Called when what comes of a node is there.
    std::function<void(int node)> came;
    /// Happens when what comes of a node may be stored; at once if there is no such function.
    std::function<exec::event&(int node)> free = nullptr;
  };
  /// Adds urgent tasks that send each message as soon as its nodes are ready, and take each as soon as it has come.
  void add_tasks(std::vector<exec::task>& to, const hooks& way);
  /// Calls visit(node) for each node of which something comes, as often as messages bring some.
  void for_coming(const std::function<void(int node)>& visit) const;

 private:
  void pack(const communication_plan::message& m, const communication_plan::piece& piece, const double* block,
            double* message) const;
  void unpack(const communication_plan::message& m, const communication_plan::piece& piece, const double* message,
              double* block) const;
  exec::task send(exec::mailbox& box, int p, hooks way);
  exec::task receive(exec::mailbox& box, int p, hooks way);

  exec::context* context_ = nullptr;
  message_buffers messages_;
  int stride_ = 0;
};

}  // namespace rednova::exchange
