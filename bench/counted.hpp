// A number that counts what is done with it: the kernels of the physics are templates on the number type.
#pragma once

#include <cmath>

#include "exec/elementary.hpp"
#include "exec/simd.hpp"

namespace rednova::bench {

/// Additions, multiplications, divisions, roots, minima and maxima count one each; loads, stores, selections,
/// comparisons, signs and powers count nothing. Where a pack takes a branch that one of its lanes needs, a number
/// takes it alone, so packs may do more.
struct counted {
  double value = 0;
  static inline long operations = 0;

  counted() = default;
  counted(double v) : value(v) {}
  operator double() const { return value; }
  static counted of(double v) {
    ++operations;
    return v;
  }
};

#define REDNOVA_COUNTED(op)                                                                    \
  inline counted operator op(counted a, counted b) { return counted::of(a.value op b.value); } \
  inline counted operator op(double a, counted b) { return counted::of(a op b.value); }        \
  inline counted operator op(counted a, double b) { return counted::of(a.value op b); }
REDNOVA_COUNTED(+)
REDNOVA_COUNTED(-)
REDNOVA_COUNTED(*)
REDNOVA_COUNTED(/)
#undef REDNOVA_COUNTED
/// Found by its argument in templates that were written before this file is read.
inline counted pow(const counted& a, const double& b) { return std::pow(a.value, b); }

}  // namespace rednova::bench

namespace rednova::exec {

#define REDNOVA_COUNTED(name)                                                                             \
  inline bench::counted name(bench::counted a, bench::counted b) {                                        \
    return bench::counted::of(name(a.value, b.value));                                                    \
  }                                                                                                       \
  inline bench::counted name(double a, bench::counted b) { return bench::counted::of(name(a, b.value)); } \
  inline bench::counted name(bench::counted a, double b) { return bench::counted::of(name(a.value, b)); }
REDNOVA_COUNTED(min)
REDNOVA_COUNTED(max)
#undef REDNOVA_COUNTED
inline bench::counted sqrt(bench::counted a) { return bench::counted::of(std::sqrt(a.value)); }
inline bench::counted abs(bench::counted a) { return std::fabs(a.value); }
inline bench::counted log2_below(bench::counted a) { return log2_below(a.value); }  // not counted, as powers are not
inline bench::counted select(bool condition, bench::counted a, bench::counted b) { return condition ? a : b; }
inline bench::counted select(bool condition, double a, bench::counted b) { return condition ? a : b.value; }
inline bench::counted select(bool condition, bench::counted a, double b) { return condition ? a.value : b; }

}  // namespace rednova::exec
