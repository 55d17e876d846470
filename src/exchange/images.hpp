// Numbers of blocks that travel from rank to rank, again and again: every exchange of a step is one of these.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/for_each.hpp"
#include "exec/mailbox.hpp"
#include "exec/transport.hpp"

namespace rednova::exchange {

/// Consecutive numbers of a block: of each field's, if it has several.
struct run {
  int first, count;
};

/// The marked places of a set (operator[], size()) in runs of consecutive ones.
template <class Set>
std::vector<run> runs_of(const Set& set) {
  std::vector<run> runs;
  for (int i = 0; i < static_cast<int>(set.size()); ++i) {
    if (!set[static_cast<std::size_t>(i)]) continue;
    if (runs.empty() || runs.back().first + runs.back().count != i) runs.push_back({i, 0});
    ++runs.back().count;
  }
  return runs;
}

/// What this rank wants to have of a node, and of whom.
struct want {
  int from;
  int node;
  std::vector<run> runs;
};

/// Who sends what to whom: made from what each rank wants, when the mesh or its owners change.
class pattern {
 public:
  /// Of a node: which runs, and how many numbers of the message come before them, for each field.
  struct piece {
    int node;
    std::size_t first_run, last_run;
    std::size_t before;
  };
  struct message {
    int rank;
    std::size_t numbers = 0;  ///< of each field
    std::vector<piece> pieces;
  };

  /// Nothing: one rank alone.
  pattern() = default;
  /// Tells the others what this rank wants and hears what they want. All ranks call it; wants of a node from one rank
  /// stand in one entry.
  pattern(exec::context& where, std::vector<want> wants);

  const std::vector<message>& outgoing() const { return outgoing_; }
  const std::vector<message>& incoming() const { return incoming_; }
  const run* runs() const { return runs_.data(); }

 private:
  message read(int rank, const std::vector<int>& words);

  std::vector<run> runs_;
  std::vector<message> outgoing_, incoming_;  // by rank
};

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
/// All ranks make, start, finish and destroy their images in the same order. Where there is no message nothing happens.
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
  /// The same where someone else packs and unpacks whole letters: [field][number of the message].
  void start_letters(const std::function<void(const pattern::message&, double* letter)>& fill);
  void finish_letters(const std::function<void(const pattern::message&, const double* letter)>& take);
  int fields() const { return fields_; }
  int stride() const { return stride_; }
  const pattern& what() const { return *what_; }

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
  struct end {
    const pattern::message* out = nullptr;
    const pattern::message* in = nullptr;
  };
  void wait(const exec::event& e);
  void pack(const pattern::message& m, const pattern::piece& piece, const double* block, double* letter) const;
  void unpack(const pattern::message& m, const pattern::piece& piece, const double* letter, double* block) const;
  exec::task send(int p, course way);
  exec::task receive(int p, course way);

  exec::context* where_ = nullptr;
  std::shared_ptr<const pattern> what_;
  int fields_ = 0, stride_ = 0;
  std::vector<end> ends_;  // by place in the mailbox
  std::unique_ptr<exec::mailbox> box_;
};

}  // namespace rednova::exchange
