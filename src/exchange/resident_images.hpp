// An exchange of images (images.hpp) where the numbers stay in a place's memory (exec/place.hpp): letters are packed
// and unpacked there, and only they cross to the host.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/check.hpp"
#include "exchange/images.hpp"
#include "exec/macros.hpp"

namespace rednova::exchange {

/// Between the numbers of blocks and a letter, a thread for each number of the letter.
struct letter_of_numbers {
  const std::ptrdiff_t* at;  ///< [number of a field]: where it stands, of the first field
  int numbers;               ///< of a field
  int stride;                ///< from one field to the next
  double *values, *letter;

  REDNOVA_FN double& value(int i) const {
    return values[at[i % numbers] + static_cast<std::ptrdiff_t>(i / numbers) * stride];
  }
};
struct pack_letter : letter_of_numbers {
  REDNOVA_FN void operator()(int i) const { letter[i] = value(i); }
};
struct unpack_letter : letter_of_numbers {
  REDNOVA_FN void operator()(int i) const { value(i) = letter[i]; }
};

/// Nothing where one rank is alone.
template <class Place>
class resident_images {
 public:
  resident_images() = default;
  /// `of` must outlive this object; one user of it at a time. first(key): where the numbers of a node begin, of
  /// the first field that travels, counted from the values that exchange() gets.
  resident_images(const Place& where, images& of, const std::function<std::ptrdiff_t(int key)>& first)
      : resident_images(where, of, [&](int key, int number) { return first(key) + number; }) {}
  /// The same where a node's numbers do not follow each other. place(key, number): where one stands.
  resident_images(const Place& where, images& of, const std::function<std::ptrdiff_t(int key, int number)>& place)
      : where_(where), of_(&of) {
    for (const pattern::message& m : of.what().outgoing()) out_.emplace_back(where, of, m, place);
    for (const pattern::message& m : of.what().incoming()) in_.emplace_back(where, of, m, place);
  }

  /// Sends own numbers, and stores those that come.
  void exchange(double* values) {
    send(values);
    receive(values);
  }
  /// The two parts: what needs no images may be launched between them.
  void send(double* values) {
    if (of_ == nullptr) return;
    auto next = out_.begin();
    of_->start_letters([&](const pattern::message&, double* host) {
      letter& l = *next++;
      where_.for_each(l.count, pack_letter{l.view(*of_, values)});
      where_.download(l.numbers.data(), std::span<double>(host, l.numbers.size()));
    });
  }
  void receive(double* values) {
    if (of_ == nullptr) return;
    auto next = in_.begin();
    of_->finish_letters([&](const pattern::message&, const double* host) {
      letter& l = *next++;
      where_.upload(l.numbers.data(), std::span<const double>(host, l.numbers.size()));
      where_.for_each(l.count, unpack_letter{l.view(*of_, values)});
    });
  }

 private:
  template <class T>
  using array = typename Place::template array<T>;

  struct letter {
    letter(const Place& where, const images& of, const pattern::message& m,
           const std::function<std::ptrdiff_t(int key, int number)>& place)
        : numbers(m.numbers * static_cast<std::size_t>(of.fields())) {
      EXPECT(numbers.size() <= std::numeric_limits<int>::max());
      std::vector<std::ptrdiff_t> places;
      for (const pattern::piece& piece : m.pieces) {
        for (std::size_t r = piece.first_run; r < piece.last_run; ++r) {
          const run& part = of.what().runs()[r];
          for (int i = 0; i < part.count; ++i) places.push_back(place(piece.node, part.first + i));
        }
      }
      at = where.copy_of(places);
      count = static_cast<int>(numbers.size());
    }
    letter_of_numbers view(const images& of, double* values) {
      return {at.data(), static_cast<int>(at.size()), of.stride(), values, numbers.data()};
    }
    array<std::ptrdiff_t> at;
    array<double> numbers;
    int count = 0;
  };

  Place where_{};
  images* of_ = nullptr;
  std::vector<letter> out_, in_;  // by rank, as in the pattern
};

}  // namespace rednova::exchange
