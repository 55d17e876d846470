// Numbers that carry their derivatives.
#pragma once

#include <array>
#include <cmath>

namespace rednova::eos {

/// A value and its derivatives by N independent variables (forward differentiation): what is computed with them has
/// derivatives to rounding.
template <int N>
struct dual {
  double value = 0;
  std::array<double, N> slopes{};

  dual() = default;
  dual(double v) : value(v) {}  // a constant; numbers mix with duals in formulas
  /// The independent variable number `which`.
  static dual variable(double v, int which) {
    dual x(v);
    x.slopes[static_cast<std::size_t>(which)] = 1.0;
    return x;
  }
  /// f(x) by the chain rule, from f's value and slope there.
  friend dual chain(const dual& x, double f, double slope) {
    dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.slopes[i] = slope * x.slopes[i];
    return r;
  }
  friend dual operator+(dual a, const dual& b) { return a += b; }
  friend dual operator-(dual a, const dual& b) { return a -= b; }
  friend dual operator*(dual a, const dual& b) { return a *= b; }
  // With a constant: the same without its slopes of zero.
  friend dual operator*(double a, const dual& b) { return chain(b, a * b.value, a); }
  friend dual operator*(const dual& a, double b) { return b * a; }
  friend dual operator-(const dual& a) { return chain(a, -a.value, -1.0); }
  friend dual operator/(const dual& a, const dual& b) {
    const double over = 1.0 / b.value;
    dual r(a.value * over);
    for (std::size_t i = 0; i < N; ++i) r.slopes[i] = (a.slopes[i] - r.value * b.slopes[i]) * over;
    return r;
  }
  dual& operator+=(const dual& b) {
    value += b.value;
    for (std::size_t i = 0; i < N; ++i) slopes[i] += b.slopes[i];
    return *this;
  }
  dual& operator-=(const dual& b) {
    value -= b.value;
    for (std::size_t i = 0; i < N; ++i) slopes[i] -= b.slopes[i];
    return *this;
  }
  dual& operator*=(const dual& b) {
    for (std::size_t i = 0; i < N; ++i) slopes[i] = slopes[i] * b.value + value * b.slopes[i];
    value *= b.value;
    return *this;
  }
  friend dual exp(const dual& x) {
    const double e = std::exp(x.value);
    return chain(x, e, e);
  }
  friend dual expm1(const dual& x) {
    const double e = std::expm1(x.value);
    return chain(x, e, e + 1.0);
  }
  friend dual log(const dual& x) { return chain(x, std::log(x.value), 1.0 / x.value); }
  friend dual sqrt(const dual& x) {
    const double r = std::sqrt(x.value);
    return chain(x, r, 0.5 / r);
  }
};

/// f(a, b) by the chain rule, from f with its slopes by a and by b.
template <int N>
dual<N> chain(const dual<2>& f, const dual<N>& a, const dual<N>& b) {
  return chain(a, f.value, f.slopes[0]) + chain(b, 0.0, f.slopes[1]);
}

inline double value_of(double x) { return x; }
template <int N>
double value_of(const dual<N>& x) {
  return x.value;
}

/// 1 / (1 + exp(t)), without overflow.
inline double fermi_occupation(double t) {
  const double e = std::exp(-std::fabs(t));
  return (t > 0 ? e : 1.0) / (1.0 + e);
}
template <int N>
dual<N> fermi_occupation(const dual<N>& t) {
  const double e = std::exp(-std::fabs(t.value)), over = 1.0 / (1.0 + e);
  return chain(t, (t.value > 0 ? e : 1.0) * over, -e * over * over);
}

}  // namespace rednova::eos
