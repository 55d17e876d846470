// Mailboxes whose messages stand where somebody else says.
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "ranks.hpp"

namespace rednova::tests {

namespace {

/// Memory between two walls that nobody may write to.
class walled {
 public:
  std::shared_ptr<std::byte[]> take(std::size_t bytes) {
    auto all = exec::host_memory(bytes + 2 * wall);
    std::fill_n(all.get(), bytes + 2 * wall, paint);
    inner_ = {all.get() + wall, bytes};
    lives_ = all;
    ++taken_;
    return {all, all.get() + wall};
  }
  bool holds(std::span<const std::byte> part) const {
    return part.data() >= inner_.data() && part.data() + part.size() <= inner_.data() + inner_.size();
  }
  bool is(std::span<const std::byte> part) const {
    return part.data() == inner_.data() && part.size() == inner_.size();
  }
  bool untouched() const {
    const auto painted = [](std::byte b) { return b == paint; };
    return std::all_of(inner_.data() - wall, inner_.data(), painted) &&
           std::all_of(inner_.data() + inner_.size(), inner_.data() + inner_.size() + wall, painted);
  }
  int taken() const { return taken_; }
  bool given_back() const { return lives_.expired(); }

 private:
  static constexpr std::size_t wall = 4096;
  static constexpr std::byte paint{0xa5};
  std::span<std::byte> inner_;
  std::weak_ptr<std::byte[]> lives_;
  int taken_ = 0;
};

}  // namespace

void given_memory(exec::transport& t, const std::string& carrier) {
  const int reads = t.reads_devices() ? 1 : 0;
  for (const int other : t.gather_all(reads)) require(t, other == reads, "all ranks say the same of devices");
  require(t, reads == 0 || carrier == "mpi", "nobody but MPI reads devices");

  walled memory;
  std::vector<exec::peer> peers;
  for (int r = 0; r < t.size(); ++r) {
    const auto bytes = [](int from, int to) { return static_cast<std::size_t>(1 + 1000 * from + 10 * to); };
    if (r != t.rank()) peers.push_back({r, bytes(t.rank(), r), bytes(r, t.rank())});
  }
  auto box = t.open("given", peers, [&](std::size_t bytes) { return memory.take(bytes); });
  require(t, memory.taken() == (peers.empty() ? 0 : 1), "a mailbox asks once for memory, and only for messages");
  const std::span<std::byte> out = box->outgoing_memory(), in = box->incoming_memory();
  require(t, peers.empty() || (out.data() + out.size() == in.data() && memory.is({out.data(), out.size() + in.size()})),
          "what is shared with others is the memory that was given");
  const auto content = [](int epoch, int from, int to) { return static_cast<std::byte>(1 + epoch + 16 * from + to); };
  for (int epoch = 0; epoch < 5; ++epoch) {
    for (int p = 0; p < static_cast<int>(peers.size()); ++p) {
      t.wait(box->writable(p));
      require(t, memory.holds(box->outgoing(p)), "messages go out of the memory that was given");
      std::ranges::fill(box->outgoing(p), content(epoch, t.rank(), peers[static_cast<std::size_t>(p)].rank));
      box->post(p);
    }
    for (int p = 0; p < static_cast<int>(peers.size()); ++p) {
      t.wait(box->arrival(p));
      const std::byte expected = content(epoch, peers[static_cast<std::size_t>(p)].rank, t.rank());
      require(t, memory.holds(box->incoming(p)), "messages come into the memory that was given");
      require(t, std::ranges::count(box->incoming(p), expected) == std::ssize(box->incoming(p)),
              "a message in memory that was given is what was sent");
      box->release(p);
    }
  }
  require(t, peers.empty() || memory.untouched(), "nothing is written beside the memory that was given");
  box.reset();
  require(t, memory.given_back(), "a mailbox that is closed gives its memory back");
}

}  // namespace rednova::tests
