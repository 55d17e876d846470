// A compensated sum (Neumaier 1974): a total whose error does not grow with the number of terms.
#pragma once

#include <cmath>

namespace rednova::core {

class compensated {
 public:
  constexpr compensated() = default;
  constexpr explicit compensated(double value) : sum_(value) {}

  /// Adds a term, and to the carry what rounding takes from the sum: exactly that, by six additions that ask for no
  /// comparison (Knuth, The Art of Computer Programming 2, sec. 4.2.2). Never compiled with reassociation, which would
  /// undo it.
  constexpr compensated& operator+=(double term) {
    const double t = sum_ + term, of_term = t - sum_;
    carry_ += (sum_ - (t - of_term)) + (term - of_term);
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
