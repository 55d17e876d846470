// A 64-bit hash of numbers: notices damage in files, and compares states bit by bit.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace rednova::core {

/// Hashes 8 bytes at a time. Every step is a bijection of the state for a given word and of the word for a given
/// state, so that a change of any one word always changes the result. No protection against intent.
class hash64 {
 public:
  constexpr void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 32;
  }
  constexpr void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  constexpr void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  template <class T>
  requires(sizeof(T) == 8) void add(const T* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(values[i]);
  }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (std::size_t i = 0; i < text.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + i, text.size() - i < 8 ? text.size() - i : 8);
      add(word);
    }
  }
  /// The hash so far, with every bit of the state spread over the result.
  constexpr std::uint64_t value() const {
    std::uint64_t h = state_;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    return h ^ (h >> 33);
  }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3u;
};

}  // namespace rednova::core
