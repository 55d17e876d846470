// A mailbox: one kind of exchange between ranks, with buffers that are kept over the steps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exec/task.hpp"

namespace rednova::exec {

class transport;

/// With whom a mailbox exchanges, and how many bytes a message has each way; 0 if none goes that way, not both.
struct peer {
  int rank;
  std::size_t send_bytes;
  std::size_t receive_bytes;
};

/// Whose memory messages stand in.
enum class message_memory { on_host, on_device };

/// Where the messages of a mailbox stand: gives so many bytes, aligned as array.hpp's, for as long as the pointer
/// lives. The carrier must be able to read and write them (transport::reads_devices()); the mailbox itself does not.
using make_message_memory = std::function<std::shared_ptr<std::byte[]>(std::size_t bytes)>;
/// Memory of the host.
std::shared_ptr<std::byte[]> host_memory(std::size_t bytes);

/// What went through a mailbox to and from one peer.
struct traffic {
  std::int64_t sent = 0, sent_bytes = 0;
  std::int64_t received = 0, received_bytes = 0;
  double waited = 0;  ///< seconds in which the main thread had nothing to do until this peer's message came
};

/// What two ranks tell each other about the messages between them when a mailbox is opened.
struct postcard {
  std::uint64_t send_bytes = 0, receive_bytes = 0;
  // For those who write from afar: the receive buffers, their key, and what the receiver calls its end.
  std::array<std::uint64_t, 2> address{};
  std::uint64_t key = 0;
  std::uint64_t line = 0;
};

/// One peer's messages: two buffers each way, which take turns. For transports.
struct channel {
  peer with{};
  int number = 0;  ///< place in the mailbox
  int of = 0;      ///< the mailbox's number
  std::array<std::byte*, 2> outgoing{}, incoming{};
  std::array<event, 2> writable, arrived;
  std::array<std::uint32_t, 2> noted{};    ///< of a trace: the messages that have arrived
  std::int64_t sent = 0;                   ///< messages so far
  std::array<std::int64_t, 2> received{};  ///< messages so far, by buffer: they may be found in any order
  std::int64_t posted = 0, released = 0;   ///< messages so far
  std::array<int, 2> receiving{-1, -1};    ///< operations of the engine, if the carrier has any
  postcard theirs;
  traffic* counts = nullptr;
  const char* mailbox = "";  ///< its name, for a trace
  std::uint32_t poster = 0;  ///< of a trace: what posted the message that is sent
};

/// One message to and from each of some peers, again and again; the k-th that one side posts is the k-th that arrives.
///
///     std::unique_ptr<mailbox> ghosts = transport.open("ghosts", peers);   // all ranks, at its first use on a mesh
///     co_await ghosts->writable(p);              // p: place in peers()
///     fill(ghosts->outgoing(p));
///     ghosts->post(p);
///     co_await ghosts->arrival(p);               // any number of readers
///     read(ghosts->incoming(p));
///     ghosts->release(p);                        // once, when all have read
///
/// A message lies untouched from its arrival until its release: the next one comes into the other buffer, the next
/// but one waits for the release. So a sender runs ahead of its peer's releases by at most two messages; then
/// writable() or the wire holds it up. Whoever never posts message k+2 before it has released message k of that peer
/// cannot deadlock.
///
/// All functions may be called from tasks on any thread; post() for one peer from one thread at a time, and release()
/// after the readers. A mailbox is closed (destroyed) by the main thread, on all ranks, when all that was posted has
/// been released.
class mailbox {
 public:
  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;
  ~mailbox();

  const std::string& name() const { return name_; }
  const std::vector<peer>& peers() const { return peers_; }

  /// Happens when outgoing(p) may be written.
  event& writable(int p);
  /// The bytes of the next message to p.
  std::span<std::byte> outgoing(int p);
  /// Sends them. From here they belong to the transport.
  void post(int p);
  /// Happens when the next message from p is there.
  event& arrival(int p);
  /// Of a trace: what has arrived is noted as that (profile::note_message); 0: it is not.
  std::uint32_t noted(int p);
  /// Its bytes.
  std::span<const std::byte> incoming(int p);
  /// Gives its buffer back; arrival(p) is then that of the following message.
  void release(int p);

  // For transports.
  int number() const { return number_; }
  std::vector<channel>& channels() { return channels_; }
  std::span<std::byte> outgoing_memory() { return {memory_.get(), outgoing_bytes_}; }
  std::span<std::byte> incoming_memory() { return {memory_.get() + outgoing_bytes_, incoming_bytes_}; }

 private:
  friend class transport;
  mailbox(transport& owner, int number, std::string name, std::vector<peer> peers, const make_message_memory& memory);
  channel& at(int p);

  transport& owner_;
  int number_;
  std::string name_;
  std::vector<peer> peers_;
  std::vector<channel> channels_;
  std::shared_ptr<std::byte[]> memory_;  // what goes out, then what comes in
  std::size_t outgoing_bytes_ = 0, incoming_bytes_ = 0;
  int exceptions_;
};

}  // namespace rednova::exec
