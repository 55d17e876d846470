#include "exec/fabric_transport.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace rednova::exec {

namespace {

// The number that comes with a write: which channel of the receiver, which of its two buffers, and whether it is a
// message or the notice that a message was read. 32 bits are what every provider carries.
constexpr std::uint32_t slot_bit = 1, notice_bit = 2;
constexpr int channel_shift = 2;

std::uint32_t number_of(std::uint64_t channel, std::size_t slot, std::uint32_t kind) {
  return static_cast<std::uint32_t>(channel << channel_shift) | (slot != 0 ? slot_bit : 0) | kind;
}

/// Best first. On one machine memory is faster than any network.
std::vector<std::string> candidates(const std::string& wish, bool one_host) {
  // These two are connections; ofi_rxm makes of them what anybody may write to.
  if (wish == "tcp" || wish == "verbs") return {wish + ";ofi_rxm"};
  if (!wish.empty()) return {wish};
  if (one_host) return {"shm", "tcp;ofi_rxm"};
  return {"cxi", "verbs;ofi_rxm", "tcp;ofi_rxm"};
}

}  // namespace

fabric_transport::fabric_transport(std::unique_ptr<mpi_session> session, double patience, std::string provider)
    : transport(std::move(session), patience), provider_(std::move(provider)), doorbell_(sizeof(std::uint64_t)) {}

fabric_transport::~fabric_transport() { all_end_well(); }

std::string fabric_transport::describe() const {
  return fmt::format("libfabric ({}), started by MPI ({})", provider_, engine().library());
}

void fabric_transport::begin() {
  // Each rank tries for itself; all must come to the same.
  const std::vector<std::string> possible = candidates(provider_, one_host());
  std::vector<std::string> reasons(possible.size());
  std::size_t chosen = 0;
  while (chosen < possible.size() && !(endpoint_ = fabric_endpoint::open(possible[chosen], reasons[chosen]))) ++chosen;
  const std::vector<int> choices = gather_all(static_cast<int>(chosen));
  if (chosen == possible.size()) core::fail("rank {} has no libfabric: {}", rank(), fmt::join(reasons, "; "));
  const auto other = std::find_if(choices.begin(), choices.end(), [&](int c) { return c != choices[0]; });
  if (other != choices.end()) {
    core::fail("the machines of rank 0 and rank {} have different networks: name a libfabric provider that both have",
               other - choices.begin());
  }
  provider_ = possible[chosen];

  constexpr std::size_t longest = 256;
  struct card {
    std::uint64_t length;
    std::array<std::byte, longest> address;
    doorbell bell;
  };
  card mine{};
  const std::vector<std::byte> name = endpoint_->address();
  EXPECT(name.size() <= longest);
  mine.length = name.size();
  std::copy(name.begin(), name.end(), mine.address.begin());
  shared_doorbell_ = endpoint_->share(doorbell_);
  mine.bell = {shared_doorbell_->address, shared_doorbell_->key};
  std::vector<std::vector<std::byte>> names;
  for (const card& c : gather_all(mine)) {
    names.emplace_back(c.address.begin(), c.address.begin() + static_cast<std::ptrdiff_t>(c.length));
    doorbells_.push_back(c.bell);
  }
  endpoint_->introduce(names);
}

channel& fabric_transport::of(std::uint32_t number) { return *channels_.at(number >> channel_shift); }

bool fabric_transport::poll() {
  if (!endpoint_) return false;
  return endpoint_->poll({.written =
                              [this](std::uint32_t number) {
                                channel& c = of(number);
                                const std::size_t slot = number & slot_bit;
                                if ((number & notice_bit) != 0) {
                                  c.writable[slot].arrive();
                                } else {
                                  arrive(c, slot);
                                }
                              },
                          .sent =
                              [this](std::uint64_t tag) {
                                const auto number = static_cast<std::uint32_t>(tag);
                                of(number).writable[number & slot_bit].arrive();
                              }});
}

void fabric_transport::opening(mailbox& box, std::vector<postcard>& mine) {
  open_box& opened = boxes_[box.number()];
  if (!box.outgoing_memory().empty()) opened.outgoing = endpoint_->share(box.outgoing_memory());
  if (!box.incoming_memory().empty()) opened.incoming = endpoint_->share(box.incoming_memory());
  for (channel& c : box.channels()) {
    if (free_channels_.empty()) {
      free_channels_.push_back(static_cast<std::uint32_t>(channels_.size()));
      channels_.push_back(nullptr);
    }
    const std::uint32_t id = free_channels_.back();
    free_channels_.pop_back();
    channels_[id] = &c;
    opened.channels.push_back(id);
    postcard& card = mine[static_cast<std::size_t>(c.number)];
    card.channel = id;
    if (!opened.incoming) continue;
    card.key = opened.incoming->key;
    for (std::size_t slot = 0; slot < 2; ++slot) {
      card.address[slot] =
          opened.incoming->address + static_cast<std::uint64_t>(c.incoming[slot] - box.incoming_memory().data());
    }
  }
}

void fabric_transport::closing(mailbox& box) {
  const auto closed = boxes_.find(box.number());
  for (const std::uint32_t id : closed->second.channels) {
    channels_[id] = nullptr;
    free_channels_.push_back(id);
  }
  boxes_.erase(closed);
}

void fabric_transport::send(mailbox& box, channel& c, std::size_t slot) {
  count_sent(c);
  const open_box& opened = boxes_.at(box.number());
  // What comes back when the write has ended is the number of the own channel.
  const std::uint32_t own = opened.channels[static_cast<std::size_t>(c.number)];
  endpoint_->write(c.with.rank, {c.outgoing[slot], c.with.send_bytes}, *opened.outgoing, c.theirs.address[slot],
                   c.theirs.key, number_of(c.theirs.channel, slot, 0), number_of(own, slot, 0));
}

void fabric_transport::receive(mailbox& /*box*/, channel& c, std::size_t slot) {
  const doorbell& bell = doorbells_[static_cast<std::size_t>(c.with.rank)];
  endpoint_->notify(c.with.rank, bell.address, bell.key, number_of(c.theirs.channel, slot, notice_bit));
}

}  // namespace rednova::exec
