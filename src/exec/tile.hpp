// Loads for kernels whose operands are rows shorter than a pack, or constants that outnumber the registers.
#pragma once

#include <bit>
#include <cstring>

#include "exec/simd.hpp"

namespace rednova::exec {

/// Vector registers of this processor that hold a pack.
inline constexpr int registers = lanes<pack> >= 8 ? 32 : 16;

/// Two rows of half a pack, one after the other; no alignment is asked.
template <class T>
REDNOVA_FN T load_rows(const double* first, const double* second) {
  if constexpr (lanes<T> == 8) {
    using half = double __attribute__((vector_size(4 * sizeof(double))));
    half a, b;
    std::memcpy(&a, first, sizeof a);
    std::memcpy(&b, second, sizeof b);
    return T(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7));
  } else {
    return T([&](auto i) { return i < lanes<T> / 2 ? first[i] : second[i - lanes<T> / 2]; });
  }
}

/// Lets the compiler forget what it has loaded through p, so that a constant is read again as the operand of an
/// instruction and not kept in a register that an accumulator needs.
REDNOVA_FN void forget(const double*& p) { asm("" : "+r"(p)); }

/// Keeps what was loaded in a register, where there are few: else the compiler reads it again as an operand of every
/// instruction, and loads set the pace.
REDNOVA_FN void keep([[maybe_unused]] pack& x) {
#if defined(__x86_64__)
  if constexpr (registers < 32) {
    raw_pack v = std::bit_cast<raw_pack>(x);
    asm("" : "+x"(v));
    x = std::bit_cast<pack>(v);
  }
#endif
}

}  // namespace rednova::exec
