// An exchange of images (images.hpp) where the numbers stay in a place's memory (exec/place.hpp): kernels pack letters
// straight into the mailbox and unpack them from there.
#pragma once

#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/check.hpp"
#include "exchange/images.hpp"
#include "exec/macros.hpp"

namespace rednova::exchange {

/// Where the numbers of a letter stand: a thread for each of them.
struct numbers_of_letter {
  const std::ptrdiff_t* at;  ///< [number of a field]: where it stands, of the first field
  int numbers;               ///< of a field
  int stride;                ///< from one field to the next
  double* values;

  REDNOVA_FN double& operator[](int i) const {
    return values[at[i % numbers] + static_cast<std::ptrdiff_t>(i / numbers) * stride];
  }
};
struct pack_letter {
  numbers_of_letter from;
  double* letter;
  REDNOVA_FN void operator()(int i) const { letter[i] = from[i]; }
};
struct unpack_letter {
  const double* letter;
  numbers_of_letter to;
  REDNOVA_FN void operator()(int i) const { to[i] = letter[i]; }
};

/// Nothing where one rank is alone. All ranks use and destroy theirs in the same order.
///
/// Nothing waits for the place but post(), and that for the packing alone, and the end. A letter that has come is given
/// back by the next post(), when the place has unpacked it: what is packed for that was launched later.
///
/// No rank waits for ever: the first send() or receive() waits until all peers come to the same place; send() waits
/// until it may write message k, that is for what its peers do with message k-2 at the latest in their post() of
/// message k-1, before they wait for letters; receive() waits for what its peers post in their receive() at the latest,
/// before they wait themselves. So whoever waits does so for somebody who is at an earlier place of the same order. And
/// as post() gives letter k-1 back first, a rank never posts message k+2 before it has released message k
/// (exec/mailbox.hpp).
template <class Place>
class resident_images {
 public:
  resident_images() = default;
  /// The letters of `of`, in a mailbox of their own. first(key): where the numbers of a node begin, of the first field
  /// that travels, counted from the values that exchange() gets.
  resident_images(const Place& where, const images& of, const std::function<std::ptrdiff_t(int key)>& first)
      : resident_images(where, of, [&](int key, int number) { return first(key) + number; }) {}
  /// The same where a node's numbers do not follow each other. place(key, number): where one stands.
  resident_images(const Place& where, const images& of, const std::function<std::ptrdiff_t(int key, int number)>& place)
      : course_(std::make_unique<course>(where, of, place)) {}

  /// Sends own numbers, and stores those that come.
  void exchange(double* values) {
    send(values);
    receive(values);
  }
  /// The parts: what needs no images may be launched between them. Packs own numbers;
  void send(double* values) {
    if (course_) course_->pack(values);
  }
  /// posts them as soon as they are packed, if that was not done yet;
  void post() {
    if (course_) course_->post();
  }
  /// does that too, waits for what comes and stores it.
  void receive(double* values) {
    if (course_) course_->receive(values);
  }

 private:
  template <class T>
  using array = typename Place::template array<T>;

  /// A letter to or from a rank; null: none.
  struct letter {
    letter(const Place& where, const images& of, const pattern::message* m,
           const std::function<std::ptrdiff_t(int key, int number)>& place) {
      if (m == nullptr) return;
      const std::size_t all = m->numbers * static_cast<std::size_t>(of.letters().fields());
      EXPECT(all <= std::numeric_limits<int>::max());
      std::vector<std::ptrdiff_t> places;
      for (const pattern::piece& piece : m->pieces) {
        for (std::size_t r = piece.first_run; r < piece.last_run; ++r) {
          const run& part = of.letters().what().runs()[r];
          for (int i = 0; i < part.count; ++i) places.push_back(place(piece.node, part.first + i));
        }
      }
      at = where.copy_of(places);
      count = static_cast<int>(all);
    }
    array<std::ptrdiff_t> at;
    int count = 0;  ///< 0: nothing goes that way
  };

  class course {
   public:
    course(const Place& where, const images& of, const std::function<std::ptrdiff_t(int key, int number)>& place)
        : where_(where),
          letters_(of.letters().standing_in(
              [where](std::size_t bytes, exec::letters_stand stand) { return where.letters(bytes, stand); })),
          stride_(of.stride()),
          packed_(where) {
      for (int p = 0; p < letters_.peers(); ++p) {
        out_.emplace_back(where, of, letters_.out(p), place);
        in_.emplace_back(where, of, letters_.in(p), place);
      }
    }
    course(const course&) = delete;
    course& operator=(const course&) = delete;
    ~course() {
      // After an error nobody is answered any more; the mailbox's memory stays until the process ends.
      if (!unread_ || std::uncaught_exceptions() > exceptions_) return;
      try {
        packed_.set();
        packed_.wait();
        give_back();
      } catch (...) {
        letters_.fail_later(std::current_exception());
      }
    }

    void pack(double* values) {
      exec::mailbox* const box = letters_.open();
      for (int p = 0; p < letters_.peers(); ++p) {
        const letter& l = out_[index(p)];
        if (l.count == 0) continue;
        letters_.wait(box->writable(p));
        where_.for_each(l.count, pack_letter{numbers(l, values), reinterpret_cast<double*>(box->outgoing(p).data())});
      }
      if (letters_.peers() == 0) return;
      packed_.set();
      packing_ = true;
    }
    void post() {
      if (!packing_) return;
      packing_ = false;
      packed_.wait();
      give_back();
      for (int p = 0; p < letters_.peers(); ++p) {
        if (out_[index(p)].count > 0) letters_.open()->post(p);
      }
    }
    void receive(double* values) {
      post();
      exec::mailbox* const box = letters_.open();
      for (int p = 0; p < letters_.peers(); ++p) {
        if (in_[index(p)].count > 0) letters_.wait(box->arrival(p));
      }
      unread_ = letters_.peers() > 0;
      for (int p = 0; p < letters_.peers(); ++p) {
        const letter& l = in_[index(p)];
        const auto* const came = reinterpret_cast<const double*>(l.count > 0 ? box->incoming(p).data() : nullptr);
        where_.for_each(l.count, unpack_letter{came, numbers(l, values)});
      }
    }

   private:
    static std::size_t index(int p) { return static_cast<std::size_t>(p); }
    numbers_of_letter numbers(const letter& l, double* values) const {
      return {l.at.data(), static_cast<int>(l.at.size()), stride_, values};
    }
    /// The letters that came last, if the place has read them: all that it was told before the mark is done.
    void give_back() {
      if (!unread_) return;
      unread_ = false;
      for (int p = 0; p < letters_.peers(); ++p) {
        if (in_[index(p)].count > 0) letters_.open()->release(p);
      }
    }

    Place where_;
    letter_box letters_;
    int stride_;
    typename Place::mark packed_;
    std::vector<letter> out_, in_;  // by place in the mailbox
    bool packing_ = false;          ///< the mark is set, and nothing posted since
    bool unread_ = false;           ///< letters were not given back yet
    int exceptions_ = std::uncaught_exceptions();
  };

  std::unique_ptr<course> course_;
};

}  // namespace rednova::exchange
