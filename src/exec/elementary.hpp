// Roots and logarithms of arithmetic and bits alone: a pack's lanes, a double on a core and one on a device have the
// same bits, and a pack takes as many instructions as a double.
#pragma once

#include <bit>
#include <cstdint>

#include "exec/simd.hpp"

namespace rednova::exec {

/// The 64 bits of each lane.
template <class T>
struct bits_of;
template <>
struct bits_of<double> {
  using type = std::uint64_t;
};
#ifndef __CUDACC__
template <>
struct bits_of<pack> {
  using type = stdx::rebind_simd_t<std::uint64_t, pack>;
};
#endif
template <class T>
REDNOVA_FN typename bits_of<T>::type to_bits(const T& a) {
  return std::bit_cast<typename bits_of<T>::type>(a);
}
template <class T>
REDNOVA_FN T from_bits(const typename bits_of<T>::type& a) {
  return std::bit_cast<T>(a);
}

/// Whole numbers below 2^52 as doubles, and back: in the low bits of 2^52 + n stands n.
inline constexpr double two_to_52 = 4503599627370496.0;
inline constexpr std::uint64_t bits_of_two_to_52 = 0x4330000000000000ULL;

/// The cube root of a >= 0, to 4 units in the last place; of normal numbers, and 0 of 0.
///
/// 1/cbrt(a) is guessed by a third of the bits (a third of the exponent, to 4 %) and improved by 1 - a y³ to fourth
/// order twice.
template <class T>
REDNOVA_FN T cube_root(const T& a) {
  using bits = typename bits_of<T>::type;
  const T high = from_bits<T>(bits((to_bits(a) >> 32) | bits(bits_of_two_to_52))) - two_to_52;
  // The upper halves of the bits of 1/cbrt(a) are about 4/3 times those of 1 less a third of those of a.
  const T guess = 1430188287.0 - high * (1.0 / 3.0);
  T y = from_bits<T>(bits(to_bits(T(guess + two_to_52)) << 32));
  for (int n = 0; n < 2; ++n) {
    const T miss = 1.0 - (a * y) * (y * y);  // in this order nothing overflows
    y = y + y * miss * (1.0 / 3.0 + miss * (2.0 / 9.0 + miss * (14.0 / 81.0 + miss * (35.0 / 243.0))));
  }
  return a * (y * y);
}

/// log2 of a normal number a > 0, as far as its bits say it at once: that of the power of two below, and what a exceeds
/// it by as a share of it. Too small by up to log2_below_by.
template <class T>
REDNOVA_FN T log2_below(const T& a) {
  using bits = typename bits_of<T>::type;
  // The upper half of the bits, whose lowest 20 are of the mantissa.
  const T high = from_bits<T>(bits((to_bits(a) >> 32) | bits(bits_of_two_to_52))) - two_to_52;
  return high * (1.0 / 1048576) - 1023.0;
}
inline constexpr double log2_below_by = 0.0861;

/// The natural logarithm of a normal number a > 0, to 2 units in the last place.
///
/// a = 2^n m with m from sqrt(1/2) to sqrt(2), and log m = 2 artanh((m - 1)/(m + 1)) by its series.
template <class T>
REDNOVA_FN T natural_log(const T& a) {
  using bits = typename bits_of<T>::type;
  constexpr std::uint64_t mantissa = 0x000fffffffffffffULL, one = 0x3ff0000000000000ULL;
  // Added to a's bits, what carries into the exponent where the mantissa is above sqrt(2)'s.
  constexpr std::uint64_t carry = 0x00095f619980c434ULL;
  const bits shifted = to_bits(a) + bits(carry);
  const T exponent = from_bits<T>(bits((shifted >> 52) | bits(bits_of_two_to_52))) - (two_to_52 + 1023.0);
  const T m = from_bits<T>(bits((shifted & bits(mantissa)) + bits(one - carry)));
  const T s = (m - 1.0) / (m + 1.0), z = s * s, zz = z * z;
  // 2/(2n + 1): s² is at most 0.0295, so that the twelfth term is 1e-19 of the first.
  const T even = 2.0 / 3.0 + zz * (2.0 / 7.0 + zz * (2.0 / 11.0 + zz * (2.0 / 15.0 + zz * (2.0 / 19.0))));
  const T odd = 2.0 / 5.0 + zz * (2.0 / 9.0 + zz * (2.0 / 13.0 + zz * (2.0 / 17.0 + zz * (2.0 / 21.0))));
  const T tail = s * (z * (even + z * odd));
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  return exponent * ln2_high + (2.0 * s + (tail + exponent * ln2_low));
}

}  // namespace rednova::exec
