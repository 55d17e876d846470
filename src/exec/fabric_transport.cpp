#include "exec/fabric_transport.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace rednova::exec {

namespace {

// The number that comes with a write: which line of the receiver; if it is a message, into which of the two buffers;
// and whether the receiver's own messages in one or the other buffer have been read. 32 bits are what every provider
// carries.
constexpr std::uint32_t message_bit = 1, slot_bit = 2, notice_bit = 4;
constexpr int line_shift = 4;

std::uint32_t slot_in(std::uint32_t number) { return (number & slot_bit) != 0 ? 1 : 0; }
std::uint32_t line_number(std::uint64_t line, std::size_t slot) {
  return static_cast<std::uint32_t>(line << line_shift) | (slot != 0 ? slot_bit : 0);
}

/// Best first. On one machine memory is faster than any network.
std::vector<std::string> candidates(const std::string& requested, bool one_host) {
  // These two are connections; ofi_rxm makes of them what anybody may write to.
  if (requested == "tcp" || requested == "verbs") return {requested + ";ofi_rxm"};
  if (!requested.empty()) return {requested};
  if (one_host) return {"shm", "tcp;ofi_rxm"};
  return {"cxi", "verbs;ofi_rxm", "tcp;ofi_rxm"};
}

}  // namespace

fabric_transport::fabric_transport(std::shared_ptr<mpi_session> session, double patience, std::string provider)
    : transport(std::move(session), patience), provider_(std::move(provider)), doorbell_(sizeof(std::uint64_t)) {}

fabric_transport::~fabric_transport() { all_end_well(); }

void fabric_transport::expect_provider(const std::string& provider) {
  for (const std::string& name : candidates(provider, true)) {
    std::string reason;
    if (!fabric_endpoint::open(name, reason)) core::fail("--transport libfabric:{}: {}", provider, reason);
  }
}

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

bool fabric_transport::poll() {
  if (!endpoint_) return false;
  const bool news = endpoint_->poll({.written = [this](std::uint32_t number) { written(number); },
                                     .sent =
                                         [this](std::uint64_t tag) {
                                           const auto number = static_cast<std::uint32_t>(tag);
                                           lines_[number >> line_shift].end->writable[slot_in(number)].arrive();
                                         }});
  // The sender misses a notice when it is a whole message further: there is time for a message to take it along.
  constexpr auto soon = std::chrono::microseconds(50);
  if (!owing_.empty() && std::chrono::steady_clock::now() - owing_since_ > soon) give_notices();
  return news;
}

void fabric_transport::written(std::uint32_t number) {
  channel& c = *lines_.at(number >> line_shift).end;
  for (std::size_t slot = 0; slot < 2; ++slot) {
    if ((number & notice_bit << slot) != 0) c.writable[slot].arrive();
  }
  if ((number & message_bit) != 0) arrive(c, slot_in(number));
}

void fabric_transport::give_notices() {
  for (const std::uint32_t id : owing_) {
    const std::uint32_t owed = std::exchange(lines_[id].owed, 0);
    if (owed == 0) continue;
    const channel& c = *lines_[id].end;
    const doorbell& bell = doorbells_[static_cast<std::size_t>(c.with.rank)];
    endpoint_->notify(c.with.rank, bell.address, bell.key, line_number(c.theirs.line, 0) | owed);
  }
  owing_.clear();
}

std::uint32_t fabric_transport::own_number(const mailbox& box, const channel& c) const {
  return boxes_.at(box.number()).lines[static_cast<std::size_t>(c.number)];
}

void fabric_transport::opening(mailbox& box, std::vector<postcard>& mine) {
  open_box& opened = boxes_[box.number()];
  if (!box.outgoing_memory().empty()) opened.outgoing = endpoint_->share(box.outgoing_memory());
  if (!box.incoming_memory().empty()) opened.incoming = endpoint_->share(box.incoming_memory());
  for (channel& c : box.channels()) {
    if (free_lines_.empty()) {
      free_lines_.push_back(static_cast<std::uint32_t>(lines_.size()));
      lines_.emplace_back();
    }
    const std::uint32_t id = free_lines_.back();
    free_lines_.pop_back();
    lines_[id].end = &c;
    opened.lines.push_back(id);
    postcard& card = mine[static_cast<std::size_t>(c.number)];
    card.line = id;
    if (!opened.incoming) continue;
    card.key = opened.incoming->key;
    for (std::size_t slot = 0; slot < 2; ++slot) {
      card.address[slot] =
          opened.incoming->address + static_cast<std::uint64_t>(c.incoming[slot] - box.incoming_memory().data());
    }
  }
}

void fabric_transport::closing(mailbox& box) {
  give_notices();
  const auto closed = boxes_.find(box.number());
  for (const std::uint32_t id : closed->second.lines) {
    lines_[id].end = nullptr;
    free_lines_.push_back(id);
  }
  boxes_.erase(closed);
}

void fabric_transport::send(mailbox& box, channel& c, std::size_t slot) {
  count_sent(c);
  const std::uint32_t own = own_number(box, c);
  const std::uint32_t notices = std::exchange(lines_[own].owed, 0);
  endpoint_->write(c.with.rank, {c.outgoing[slot], c.with.send_bytes}, *boxes_.at(box.number()).outgoing,
                   c.theirs.address[slot], c.theirs.key, line_number(c.theirs.line, slot) | message_bit | notices,
                   line_number(own, slot));
}

void fabric_transport::receive(mailbox& box, channel& c, std::size_t slot) {
  const std::uint32_t own = own_number(box, c);
  if (owing_.empty()) owing_since_ = std::chrono::steady_clock::now();
  owing_.push_back(own);
  lines_[own].owed |= notice_bit << slot;
  // Nothing goes that way which could take it along.
  if (c.with.send_bytes == 0) give_notices();
}

}  // namespace rednova::exec
