// Numbers of blocks that travel from rank to rank, again and again: every exchange of a step is one of these.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exchange/letter_box.hpp"
#include "exchange/pattern.hpp"
#include "exec/for_each.hpp"
#include "exec/task.hpp"

namespace rednova::exchange {

/// One kind of exchange over a pattern: one message to each rank that wants something, with buffers that stay.
///
///     images ghosts(where, "ghosts", pattern, fields, mesh::cells);
///     ghosts.start([&](int node) { return u.at(node); });    // packs and posts
///     …                                                      // what needs no images
///     ghosts.finish([&](int node) { return u.at(node); });   // waits and unpacks
///
/// Or as tasks, one a message, beside others that wait for the nodes they read:
///
///     ghosts.add_tasks(list, {.from = …, .ready = …, .into = …, .came = …});
///
/// All ranks make, start, finish and destroy their images in the same order. Where there is no message nothing happens,
/// and who never starts an exchange has no mailbox for it.
class images {
 public:
  /// Where the numbers of a node stand.
  using source = std::function<const double*(int node)>;
  using target = std::function<double*(int node)>;

  images() = default;
  /// fields: with `stride` numbers from one to the next.
  images(exec::context& where, const std::string& name, std::shared_ptr<const pattern> what, int fields, int stride);

  void start(const source& at);
  void finish(const target& at);
  /// Of these letters: [field][number of the message].
  const letter_box& letters() const { return letters_; }
  int stride() const { return stride_; }

  /// An exchange as tasks.
  struct course {
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
  void add_tasks(std::vector<exec::task>& to, const course& way);
  /// Calls visit(node) for each node of which something comes, as often as messages bring some.
  void for_coming(const std::function<void(int node)>& visit) const;

 private:
  void pack(const pattern::message& m, const pattern::piece& piece, const double* block, double* letter) const;
  void unpack(const pattern::message& m, const pattern::piece& piece, const double* letter, double* block) const;
  exec::task send(exec::mailbox& box, int p, course way);
  exec::task receive(exec::mailbox& box, int p, course way);

  exec::context* where_ = nullptr;
  letter_box letters_;
  int stride_ = 0;
};

}  // namespace rednova::exchange
