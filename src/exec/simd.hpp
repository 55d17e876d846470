// The number types of the physics: a double, or a pack of doubles that share an instruction.
// Formulas are templates on the number type and use only arithmetic, comparisons and what stands here.
// In device code (nvcc) the only number type is a double: a thread is a lane there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "exec/macros.hpp"

#ifndef __CUDACC__
#include <experimental/simd>
#endif

namespace rednova::exec {

/// Lanes of a number type: 1 for double.
template <class T>
inline constexpr int lanes = 1;

/// Loads lanes<T> consecutive doubles; no alignment is asked.
template <class T>
REDNOVA_FN T load(const double* p) {
  return *p;
}
/// Stores as many; no alignment is asked.
template <class T>
REDNOVA_FN void store(double* p, const T& v) {
  *p = v;
}

/// A hint that what lies there, which need not be ours, is read or written soon. A device has other threads to wait
/// with.
template <class T>
REDNOVA_FN void prefetch(const double*) {}

/// Rows and columns of a square of lanes<T>² doubles change places. *_row: doubles from a row to the next.
template <class T>
REDNOVA_FN void transpose(const double* from, std::ptrdiff_t, double* to, std::ptrdiff_t) {
  *to = *from;
}

/// first, first + 1, …: a number for each lane.
template <class T>
REDNOVA_FN T counting(double first) {
  return first;
}
/// Stores 1 where a condition holds and 0 elsewhere, a byte for each lane.
REDNOVA_FN void store_flags(std::uint8_t* p, bool condition) { *p = condition ? 1 : 0; }

REDNOVA_FN double select(bool condition, double a, double b) { return condition ? a : b; }
REDNOVA_FN bool any(bool condition) { return condition; }
REDNOVA_FN double min(double a, double b) { return a < b ? a : b; }
REDNOVA_FN double max(double a, double b) { return a > b ? a : b; }
REDNOVA_FN double abs(double a) { return std::fabs(a); }
REDNOVA_FN double sqrt(double a) { return std::sqrt(a); }
REDNOVA_FN double pow(double a, double b) { return std::pow(a, b); }
REDNOVA_FN double exp(double a) { return std::exp(a); }
REDNOVA_FN double floor(double a) { return std::floor(a); }
/// p[index], an index that is a whole number below 2^53.
REDNOVA_FN double gather(const double* p, double index) { return p[static_cast<long>(index)]; }
/// The same of four that follow each other: p[index], …, p[index + 3].
REDNOVA_FN void gather_four(const double* p, double index, double* four) {
  const double* from = p + static_cast<long>(index);
  for (int j = 0; j < 4; ++j) four[j] = from[j];
}
/// The sum of four such rows, `step` apart, each with its weight.
REDNOVA_FN void gather_rows(const double* p, double index, double step, const double* weights, double* four) {
  const double* from = p + static_cast<long>(index);
  const long next = static_cast<long>(step);
  for (int j = 0; j < 4; ++j) {
    four[j] = (weights[0] * from[j] + weights[1] * from[next + j]) +
              (weights[2] * from[2 * next + j] + weights[3] * from[3 * next + j]);
  }
}
REDNOVA_FN double hmin(double a) { return a; }
REDNOVA_FN double hmax(double a) { return a; }

#ifndef __CUDACC__
namespace stdx = std::experimental;

/// As many doubles as one instruction of this processor handles.
using pack = stdx::native_simd<double>;
template <>
inline constexpr int lanes<pack> = static_cast<int>(pack::size());

template <>
REDNOVA_FN pack load<pack>(const double* p) {
  return pack(p, stdx::element_aligned);
}
template <>
REDNOVA_FN void store<pack>(double* p, const pack& v) {
  v.copy_to(p, stdx::element_aligned);
}
template <>
REDNOVA_FN void prefetch<pack>(const double* p) {
  __builtin_prefetch(p);
}
template <>
REDNOVA_FN pack counting<pack>(double first) {
  return pack([&](auto i) { return first + static_cast<double>(i); });
}
REDNOVA_FN void store_flags(std::uint8_t* p, const pack::mask_type& condition) {
  for (std::size_t i = 0; i < pack::size(); ++i) p[i] = condition[i] ? 1 : 0;
}
/// condition ? a : b, lane by lane.
REDNOVA_FN pack select(const pack::mask_type& condition, const pack& a, const pack& b) {
  pack r = b;
  stdx::where(condition, r) = a;
  return r;
}
/// True where the condition holds in any lane.
REDNOVA_FN bool any(const pack::mask_type& condition) { return stdx::any_of(condition); }
REDNOVA_FN pack min(const pack& a, const pack& b) { return stdx::min(a, b); }
REDNOVA_FN pack max(const pack& a, const pack& b) { return stdx::max(a, b); }
REDNOVA_FN pack abs(const pack& a) { return stdx::abs(a); }
REDNOVA_FN pack sqrt(const pack& a) { return stdx::sqrt(a); }
/// Lane by lane through the C library, so that a pack's lanes equal the double's result.
REDNOVA_FN pack pow(const pack& a, double b) {
  return pack([&](auto i) { return std::pow(a[i], b); });
}
REDNOVA_FN pack exp(const pack& a) {
  return pack([&](auto i) { return std::exp(a[i]); });
}
REDNOVA_FN pack floor(const pack& a) { return stdx::floor(a); }
REDNOVA_FN pack gather(const double* p, const pack& index) {
  return pack([&](auto i) { return p[static_cast<long>(index[i])]; });
}
/// A pack as shuffles take it.
using raw_pack = double __attribute__((vector_size(sizeof(pack))));

/// Rows and columns of a square of packs change places: squares of 1, 2, 4 numbers across the diagonal of those of
/// twice their side. Unrolled here, not by the compiler, which may keep the rows in memory instead.
REDNOVA_FN void transpose(std::array<raw_pack, pack::size()>& rows) {
  constexpr std::size_t n = pack::size();
  static_assert(n <= 8);
  const auto swap_squares = [&]<std::size_t Side, std::size_t... L>(
      std::integral_constant<std::size_t, Side>, std::index_sequence<L...>) __attribute__((always_inline)) {
    const auto of_row = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) __attribute__((always_inline)) {
      if constexpr (Side < n && (I & Side) == 0) {
        const raw_pack a = rows[I], b = rows[I + Side];
        rows[I] = __builtin_shufflevector(a, b, ((L & Side) != 0 ? n + L - Side : L)...);
        rows[I + Side] = __builtin_shufflevector(a, b, ((L & Side) != 0 ? n + L : L + Side)...);
      }
    };
    (of_row(std::integral_constant<std::size_t, L>{}), ...);
  };
  swap_squares(std::integral_constant<std::size_t, 1>{}, std::make_index_sequence<n>{});
  swap_squares(std::integral_constant<std::size_t, 2>{}, std::make_index_sequence<n>{});
  swap_squares(std::integral_constant<std::size_t, 4>{}, std::make_index_sequence<n>{});
}
template <>
REDNOVA_FN void transpose<pack>(const double* from, std::ptrdiff_t from_row, double* to, std::ptrdiff_t to_row) {
  std::array<raw_pack, pack::size()> rows;
  const auto each = [&]<std::size_t... I>(std::index_sequence<I...>, const auto& body) __attribute__((always_inline)) {
    (body(rows[I], static_cast<std::ptrdiff_t>(I)), ...);
  };
  constexpr auto all = std::make_index_sequence<pack::size()>{};
  each(all, [&](raw_pack& row, std::ptrdiff_t i) { row = std::bit_cast<raw_pack>(load<pack>(from + i * from_row)); });
  transpose(rows);
  each(all, [&](const raw_pack& row, std::ptrdiff_t i) { store(to + i * to_row, std::bit_cast<pack>(row)); });
}
/// With eight or four lanes each loads its four at once and they change places in registers: a third of the
/// instructions of four times `gather`.
REDNOVA_FN void gather_four(const double* p, const pack& index, pack* four) {
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
  if constexpr (pack::size() == 8) {
    using quad = double __attribute__((vector_size(32)));
    using octet = double __attribute__((vector_size(64)));
    const auto both = [&](int lane) {  // the four of a lane, then those of the lane four on
      quad a, b;
      __builtin_memcpy(&a, p + static_cast<long>(index[static_cast<std::size_t>(lane)]), sizeof a);
      __builtin_memcpy(&b, p + static_cast<long>(index[static_cast<std::size_t>(lane + 4)]), sizeof b);
      return octet(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7));
    };
    const octet a = both(0), b = both(1), c = both(2), d = both(3);
    const octet even_ab = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    const octet even_cd = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
    const octet odd_ab = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    const octet odd_cd = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
    const octet of[4] = {__builtin_shufflevector(even_ab, even_cd, 0, 1, 8, 9, 4, 5, 12, 13),
                         __builtin_shufflevector(odd_ab, odd_cd, 0, 1, 8, 9, 4, 5, 12, 13),
                         __builtin_shufflevector(even_ab, even_cd, 2, 3, 10, 11, 6, 7, 14, 15),
                         __builtin_shufflevector(odd_ab, odd_cd, 2, 3, 10, 11, 6, 7, 14, 15)};
    for (int j = 0; j < 4; ++j) four[j] = std::bit_cast<pack>(of[j]);
    return;
  }
#endif
  if constexpr (pack::size() == 4) {
    std::array<raw_pack, pack::size()> rows;
    for (std::size_t lane = 0; lane < rows.size(); ++lane)
      rows[lane] = std::bit_cast<raw_pack>(load<pack>(p + static_cast<long>(index[lane])));
    transpose(rows);
    for (std::size_t j = 0; j < rows.size(); ++j) four[j] = std::bit_cast<pack>(rows[j]);
    return;
  }
  for (int j = 0; j < 4; ++j) four[j] = gather(p, index + static_cast<double>(j));
}
/// With four lanes each sums its rows as it loads them, and only the sums change places.
REDNOVA_FN void gather_rows(const double* p, const pack& index, const pack& step, const pack* weights, pack* four) {
  if constexpr (pack::size() == 4) {
    std::array<raw_pack, pack::size()> rows;
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      const double* from = p + static_cast<long>(index[lane]);
      const long next = static_cast<long>(step[lane]);
      const auto row = [&](int i) { return weights[i][lane] * load<pack>(from + i * next); };
      rows[lane] = std::bit_cast<raw_pack>(pack((row(0) + row(1)) + (row(2) + row(3))));
    }
    transpose(rows);
    for (std::size_t j = 0; j < rows.size(); ++j) four[j] = std::bit_cast<pack>(rows[j]);
    return;
  }
  pack row[4][4];
  for (int i = 0; i < 4; ++i) gather_four(p, index + static_cast<double>(i) * step, row[i]);
  for (int j = 0; j < 4; ++j)
    four[j] = (weights[0] * row[0][j] + weights[1] * row[1][j]) + (weights[2] * row[2][j] + weights[3] * row[3][j]);
}
/// The smallest and the largest lane.
REDNOVA_FN double hmin(const pack& a) { return stdx::hmin(a); }
REDNOVA_FN double hmax(const pack& a) { return stdx::hmax(a); }
#else
using pack = double;
#endif

}  // namespace rednova::exec
