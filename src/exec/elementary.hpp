// Roots, logarithms and hyperbolic sines of arithmetic and bits alone: a pack's lanes, a double on a core and one on a
// device have the same bits, and a pack takes as many instructions as a double.
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
/// The upper half of a number's bits, as a whole number.
template <class T>
REDNOVA_FN T upper_half(const T& a) {
  using bits = typename bits_of<T>::type;
  return from_bits<T>(bits((to_bits(a) >> 32) | bits(bits_of_two_to_52))) - two_to_52;
}

/// a^(-1/N), N = 3 or 5, of a normal number a > 0, to 2 units in the last place; of 0 a large number.
///
/// It is guessed by an N-th of the bits (an N-th of the exponent), so that m = 1 - a y^N is 0.16 at most, and improved
/// to y (1 - m)^(-1/N): to fourth order in m, which leaves 3e-5 (N = 3: 5e-6), and then as far as it counts. Terms are
/// summed in pairs, here and below: a pack waits for one operation after the other more than for their number.
template <int N, class T>
REDNOVA_FN T inverse_root(const T& a) {
  static_assert(N == 3 || N == 5);
  using bits = typename bits_of<T>::type;
  constexpr double c1 = 1.0 / N, c2 = c1 * (1 + N) / (2 * N), c3 = c2 * (1 + 2 * N) / (3 * N),
                   c4 = c3 * (1 + 3 * N) / (4 * N);
  // The upper halves of the bits of a^(-1/N) are about (N + 1)/N times those of 1 less an N-th of those of a.
  constexpr double of_one = N == 3 ? 1430188287.0 : 1287166897.0;
  const T high = upper_half(a);
  const T guess = of_one - high * c1;
  const T y = from_bits<T>(bits(to_bits(T(guess + two_to_52)) << 32));
  const auto missing = [&](const T& root) {  // in this order nothing overflows
    const T square = root * root;
    return T(1.0 - (a * root) * (N == 3 ? square : T(square * square)));
  };
  const T m = missing(y), better = y + (y * m) * ((c1 + m * c2) + (m * m) * (c3 + m * c4));
  const T rest = missing(better);
  return better + (better * rest) * (c1 + rest * (N == 3 ? T(c2) : T(c2 + rest * c3)));
}

/// The cube root of a >= 0, to 4 units in the last place; of normal numbers, and 0 of 0.
template <class T>
REDNOVA_FN T cube_root(const T& a) {
  const T y = inverse_root<3>(a);
  return a * (y * y);
}

/// a^(3/5), likewise.
template <class T>
REDNOVA_FN T three_fifths_power(const T& a) {
  const T y = inverse_root<5>(a);
  return a * (y * y);
}

/// log2 of a normal number a > 0, as far as its bits say it at once: that of the power of two below, and what a exceeds
/// it by as a share of it. Too small by up to log2_below_by.
template <class T>
REDNOVA_FN T log2_below(const T& a) {
  return upper_half(a) * (1.0 / 1048576) - 1023.0;  // its lowest 20 bits are of the mantissa
}
inline constexpr double log2_below_by = 0.0861;

/// log 2 in two parts: products of the first with whole numbers below 2^20 are exact.
inline constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;

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
  const T z4 = zz * zz;
  const T even = (2.0 / 3.0 + zz * (2.0 / 7.0)) + z4 * ((2.0 / 11.0 + zz * (2.0 / 15.0)) + z4 * (2.0 / 19.0));
  const T odd = (2.0 / 5.0 + zz * (2.0 / 9.0)) + z4 * ((2.0 / 13.0 + zz * (2.0 / 17.0)) + z4 * (2.0 / 21.0));
  const T tail = s * (z * (even + z * odd));
  return exponent * ln2_high + (2.0 * s + (tail + exponent * ln2_low));
}

/// The hyperbolic sine of |a| < 700, to 6 units in the last place.
///
/// a = n log 2 + r with |r| of at most log(2)/2, and exp(±r) = even ± odd by their series.
template <class T>
REDNOVA_FN T hyperbolic_sine(const T& a) {
  using exec::floor;
  using bits = typename bits_of<T>::type;
  const T n = floor(T(a * (1.0 / (ln2_high + ln2_low)) + 0.5)), r = (a - n * ln2_high) - n * ln2_low;
  const T z = r * r, zz = z * z, z4 = zz * zz;
  const auto power_of_two = [](const T& k) { return from_bits<T>(bits(to_bits(T(k + (two_to_52 + 1023.0))) << 52)); };
  const T even = ((1.0 + z * (1.0 / 2)) + zz * (1.0 / 24 + z * (1.0 / 720))) +
                 z4 * ((1.0 / 40320 + z * (1.0 / 3628800)) + zz * (1.0 / 479001600));
  const T odd = r * (((1.0 + z * (1.0 / 6)) + zz * (1.0 / 120 + z * (1.0 / 5040))) +
                     z4 * ((1.0 / 362880 + z * (1.0 / 39916800)) + zz * (1.0 / 6227020800.0)));
  const T up = power_of_two(n), down = power_of_two(T(-n));
  return 0.5 * ((up - down) * even + (up + down) * odd);  // without cancellation where n = 0
}

}  // namespace rednova::exec
