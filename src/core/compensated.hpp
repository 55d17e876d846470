// Neumaier's compensated sum: a total whose error does not grow with the number of terms.
#pragma once

#include <cmath>

namespace rednova::core {

class compensated {
 public:
  constexpr compensated() = default;
  constexpr explicit compensated(double value) : sum_(value) {}

  /// Adds a term (Neumaier 1974). Never compiled with reassociation, which would undo it.
  constexpr compensated& operator+=(double term) {
    const double t = sum_ + term;
    const bool sum_larger = (sum_ < 0 ? -sum_ : sum_) >= (term < 0 ? -term : term);
    carry_ += sum_larger ? (sum_ - t) + term : (term - t) + sum_;
    sum_ = t;
    return *this;
  }
  constexpr compensated& operator+=(const compensated& other) {
    *this += other.sum_;
    *this += other.carry_;
    return *this;
  }
  constexpr double value() const { return sum_ + carry_; }

 private:
  double sum_ = 0, carry_ = 0;
};

}  // namespace rednova::core
