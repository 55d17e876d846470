// A root of a continuous function between two points of opposite sign.
#pragma once

#include <cmath>
#include <optional>

#include "core/check.hpp"

namespace rednova::stellar {

/// x between a and b with f(x) = 0 to within `width` in x or |f| <= `least`: false position with the Illinois weights,
/// so it never leaves the bracket (Dowell & Jarratt 1971). fa, fb: f there. Nothing if they have the same sign.
template <class F>
std::optional<double> find_root_between(const F& f, double a, double fa, double b, double fb, double width,
                                        double least) {
  if (std::fabs(fa) <= least) return a;
  if (std::fabs(fb) <= least) return b;
  if (!(fa < 0 && fb > 0) && !(fa > 0 && fb < 0)) return std::nullopt;
  for (int i = 0; i < 200 && std::fabs(b - a) > width; ++i) {
    // Every fourth point halves the bracket, which bounds the work for functions with kinks.
    const double c = i % 4 == 3 ? 0.5 * (a + b) : b - fb * (b - a) / (fb - fa);
    const double fc = f(c);
    if (std::fabs(fc) <= least) return c;
    if ((fc < 0) != (fb < 0)) {
      a = b;
      fa = fb;
    } else {
      fa *= 0.5;
    }
    b = c;
    fb = fc;
  }
  return b;
}

/// The same in [lower, upper].
template <class F>
std::optional<double> find_root_if_any(const F& f, double lower, double upper, double width, double least = 0) {
  const double f_lower = f(lower), f_upper = f(upper);
  return find_root_between(f, lower, f_lower, upper, f_upper, width, least);
}

/// The same where there must be a root: f must not have the same sign at both ends.
template <class F>
double find_root(const F& f, double lower, double upper, double width, double least = 0) {
  const std::optional<double> root = find_root_if_any(f, lower, upper, width, least);
  EXPECT(root.has_value());
  return *root;
}

/// The root of a rising function: of the bracket that steps from `start` on end at, most_steps of them. Nothing where
/// there is none.
template <class F>
std::optional<double> find_root_of_rising(const F& f, double start, double step, int most_steps, double width,
                                          double least) {
  double low = start, high = start, f_low = f(start), f_high = f_low;
  const bool down = f_low > 0;
  for (int n = 0; n < most_steps; ++n) {
    if (down) {
      high = low;
      f_high = f_low;
      f_low = f(low -= step);
    } else {
      low = high;
      f_low = f_high;
      f_high = f(high += step);
    }
    if (((down ? f_low : f_high) > 0) != down) return find_root_between(f, low, f_low, high, f_high, width, least);
  }
  return std::nullopt;
}

}  // namespace rednova::stellar
