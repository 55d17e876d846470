// An exchange of halo copies (block_exchange.hpp) on a device: in an execution space's memory (exec/space.hpp): kernels
// pack messages straight into the mailbox and unpack them from there.
#pragma once

#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/check.hpp"
#include "exchange/block_exchange.hpp"
#include "exec/macros.hpp"

namespace rednova::exchange {

/// Where the numbers of a message stand: a thread for each of them.
struct message_numbers {
  const std::ptrdiff_t* at;  ///< [number of a field]: where it stands, of the first field
  int numbers;               ///< of a field
  int stride;                ///< from one field to the next
  double* values;

  REDNOVA_FN double& operator[](int i) const {
    return values[at[i % numbers] + static_cast<std::ptrdiff_t>(i / numbers) * stride];
  }
};
struct pack_message {
  message_numbers from;
  double* message;
  REDNOVA_FN void operator()(int i) const { message[i] = from[i]; }
};
struct unpack_message {
  const double* message;
  message_numbers to;
  REDNOVA_FN void operator()(int i) const { to[i] = message[i]; }
};

/// Nothing where one rank is alone. All ranks use and destroy theirs in the same order.
///
/// Nothing waits for the device but post(), and that for the packing alone, and the end. A message that has come is
/// given back by the next post(), when the device has unpacked it: what is packed for that was launched later.
///
/// No rank waits for ever: the first send() or receive() waits until all peers come to the same call; send() waits
/// until it may write message k, that is for what its peers do with message k-2 at the latest in their post() of
/// message k-1, before they wait for messages; receive() waits for what its peers post in their receive() at the
/// latest, before they wait themselves. So whoever waits does so for somebody who is at an earlier call of the same
/// order. And as post() gives message k-1 back first, a rank never posts message k+2 before it has released message k
/// (exec/mailbox.hpp).
template <class Space>
class device_block_exchange {
 public:
  device_block_exchange() = default;
  /// The messages of `of`, in a mailbox of their own. first(key): where the numbers of a node begin, of the first field
  /// that travels, counted from the values that exchange() gets.
  device_block_exchange(const Space& space, const block_exchange& of,
                        const std::function<std::ptrdiff_t(int key)>& first)
      : device_block_exchange(space, of, [&](int key, int number) { return first(key) + number; }) {}
  /// The same where a node's numbers are not contiguous. place(key, number): the index of one.
  device_block_exchange(const Space& space, const block_exchange& of,
                        const std::function<std::ptrdiff_t(int key, int number)>& place)
      : buffers_(std::make_unique<buffers>(space, of, place)) {}

  /// Sends own numbers, and stores those that come.
  void exchange(double* values) {
    send(values);
    receive(values);
  }
  /// The parts: what needs no halo copies may be launched between them. Packs own numbers;
  void send(double* values) {
    if (buffers_) buffers_->pack(values);
  }
  /// posts them as soon as they are packed, if that was not done yet;
  void post() {
    if (buffers_) buffers_->post();
  }
  /// does that too, waits for what comes and stores it.
  void receive(double* values) {
    if (buffers_) buffers_->receive(values);
  }

 private:
  template <class T>
  using array = typename Space::template array<T>;

  /// A message to or from a rank; null: none.
  struct packed_message {
    packed_message(const Space& space, const block_exchange& of, const communication_plan::message* m,
                   const std::function<std::ptrdiff_t(int key, int number)>& place) {
      if (m == nullptr) return;
      const std::size_t all = m->numbers * static_cast<std::size_t>(of.messages().fields());
      EXPECT(all <= std::numeric_limits<int>::max());
      std::vector<std::ptrdiff_t> places;
      for (const communication_plan::piece& piece : m->pieces) {
        for (std::size_t r = piece.first_run; r < piece.last_run; ++r) {
          const run& part = of.messages().what().runs()[r];
          for (int i = 0; i < part.count; ++i) places.push_back(place(piece.node, part.first + i));
        }
      }
      at = space.copy_of(places);
      count = static_cast<int>(all);
    }
    array<std::ptrdiff_t> at;
    int count = 0;  ///< 0: nothing goes that way
  };

  class buffers {
   public:
    buffers(const Space& space, const block_exchange& of,
            const std::function<std::ptrdiff_t(int key, int number)>& place)
        : space_(space),
          messages_(of.messages().stored_by(
              [space](std::size_t bytes, exec::message_memory stand) { return space.messages(bytes, stand); })),
          stride_(of.stride()),
          packed_(space) {
      for (int p = 0; p < messages_.peers(); ++p) {
        out_.emplace_back(space, of, messages_.out(p), place);
        in_.emplace_back(space, of, messages_.in(p), place);
      }
    }
    buffers(const buffers&) = delete;
    buffers& operator=(const buffers&) = delete;
    ~buffers() {
      // After an error nobody is answered any more; the mailbox's memory stays until the process ends.
      if (!unread_ || std::uncaught_exceptions() > exceptions_) return;
      try {
        packed_.set();
        packed_.wait();
        give_back();
      } catch (...) {
        messages_.fail_later(std::current_exception());
      }
    }

    void pack(double* values) {
      exec::mailbox* const box = messages_.open();
      for (int p = 0; p < messages_.peers(); ++p) {
        const packed_message& l = out_[index(p)];
        if (l.count == 0) continue;
        messages_.wait(box->writable(p));
        space_.for_each(l.count, pack_message{numbers(l, values), reinterpret_cast<double*>(box->outgoing(p).data())});
      }
      if (messages_.peers() == 0) return;
      packed_.set();
      packing_ = true;
    }
    void post() {
      if (!packing_) return;
      packing_ = false;
      packed_.wait();
      give_back();
      for (int p = 0; p < messages_.peers(); ++p) {
        if (out_[index(p)].count > 0) messages_.open()->post(p);
      }
    }
    void receive(double* values) {
      post();
      exec::mailbox* const box = messages_.open();
      for (int p = 0; p < messages_.peers(); ++p) {
        const packed_message& l = in_[index(p)];
        if (l.count == 0) continue;
        messages_.wait_for_arrival(p);
        const auto* const came = reinterpret_cast<const double*>(box->incoming(p).data());
        space_.for_each(l.count, unpack_message{came, numbers(l, values)});
      }
      unread_ = messages_.peers() > 0;
    }

   private:
    static std::size_t index(int p) { return static_cast<std::size_t>(p); }
    message_numbers numbers(const packed_message& l, double* values) const {
      return {l.at.data(), static_cast<int>(l.at.size()), stride_, values};
    }
    /// The messages that came last, if the device has read them: all work before the event is done.
    void give_back() {
      if (!unread_) return;
      unread_ = false;
      for (int p = 0; p < messages_.peers(); ++p) {
        if (in_[index(p)].count > 0) messages_.open()->release(p);
      }
    }

    Space space_;
    message_buffers messages_;
    int stride_;
    typename Space::device_event packed_;
    std::vector<packed_message> out_, in_;  // [peer]
    bool packing_ = false;                  ///< packed_ is recorded, and nothing posted since
    bool unread_ = false;                   ///< messages were not given back yet
    int exceptions_ = std::uncaught_exceptions();
  };

  std::unique_ptr<buffers> buffers_;
};

}  // namespace rednova::exchange
