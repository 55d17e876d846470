#include "exec/mailbox.hpp"

#include <exception>
#include <utility>

#include "core/check.hpp"
#include "exec/array.hpp"
#include "exec/transport.hpp"

namespace rednova::exec {

namespace {

/// Buffers begin on cache lines, so that neighbours in memory may be written by different threads.
std::size_t padded(std::size_t bytes) {
  constexpr std::size_t line = 64;
  return (bytes + line - 1) / line * line;
}

std::size_t buffer_of(std::int64_t message) { return static_cast<std::size_t>(message % 2); }

}  // namespace

std::shared_ptr<std::byte[]> host_memory(std::size_t bytes) {
  const auto owner = std::make_shared<array<std::byte>>(bytes);
  return {owner, owner->data()};
}

mailbox::mailbox(transport& owner, int number, std::string name, std::vector<peer> peers,
                 const make_message_memory& memory)
    : owner_(owner),
      number_(number),
      name_(std::move(name)),
      peers_(std::move(peers)),
      channels_(peers_.size()),
      exceptions_(std::uncaught_exceptions()) {
  for (const peer& p : peers_) {
    EXPECT(p.rank >= 0 && p.rank < owner.size() && p.rank != owner.rank());
    EXPECT(p.send_bytes + p.receive_bytes > 0);
    outgoing_bytes_ += 2 * padded(p.send_bytes);
    incoming_bytes_ += 2 * padded(p.receive_bytes);
  }
  if (!peers_.empty()) memory_ = memory(outgoing_bytes_ + incoming_bytes_);
  std::byte* next_out = outgoing_memory().data();
  std::byte* next_in = incoming_memory().data();
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    channel& c = channels_[i];
    c.with = peers_[i];
    c.number = static_cast<int>(i);
    c.of = number_;
    c.counts = &owner.counts(name_, c.with.rank);
    c.mailbox = owner.kept(name_);
    for (std::size_t slot = 0; slot < 2; ++slot) {
      c.outgoing[slot] = std::exchange(next_out, next_out + padded(c.with.send_bytes));
      c.incoming[slot] = std::exchange(next_in, next_in + padded(c.with.receive_bytes));
      c.writable[slot].reset(0);
    }
  }
}

mailbox::~mailbox() {
  if (std::uncaught_exceptions() == exceptions_) {
    try {
      owner_.close(*this);
      return;
    } catch (...) {
      owner_.fail_later(std::current_exception());
    }
  }
  owner_.abandon(*this);
}

channel& mailbox::at(int p) {
  EXPECT(p >= 0 && static_cast<std::size_t>(p) < channels_.size());
  return channels_[static_cast<std::size_t>(p)];
}

event& mailbox::writable(int p) {
  channel& c = at(p);
  return c.writable[buffer_of(c.posted)];
}

std::span<std::byte> mailbox::outgoing(int p) {
  channel& c = at(p);
  return {c.outgoing[buffer_of(c.posted)], c.with.send_bytes};
}

void mailbox::post(int p) {
  channel& c = at(p);
  const std::size_t slot = buffer_of(c.posted);
  EXPECT(c.with.send_bytes > 0 && c.writable[slot].happened());
  c.writable[slot].reset(owner_.arrivals_until_writable());
  ++c.posted;
  owner_.on_main([this, &c, slot, poster = owner_.running()] {
    c.poster = poster;
    owner_.send(*this, c, slot);
  });
}

event& mailbox::arrival(int p) {
  channel& c = at(p);
  return c.arrived[buffer_of(c.released)];
}

std::uint32_t mailbox::noted(int p) {
  channel& c = at(p);
  EXPECT(arrival(p).happened());
  return c.noted[buffer_of(c.released)];
}

std::span<const std::byte> mailbox::incoming(int p) {
  channel& c = at(p);
  EXPECT(arrival(p).happened());
  return {c.incoming[buffer_of(c.released)], c.with.receive_bytes};
}

void mailbox::release(int p) {
  channel& c = at(p);
  const std::size_t slot = buffer_of(c.released);
  EXPECT(c.arrived[slot].happened());
  c.arrived[slot].reset(1);
  ++c.released;
  owner_.on_main([this, &c, slot] { owner_.receive(*this, c, slot); });
}

}  // namespace rednova::exec
