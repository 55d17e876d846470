#include "stellar/roche.hpp"

#include <cmath>

#include "core/check.hpp"
#include "stellar/root.hpp"

namespace rednova::stellar {

double eggleton_lobe(double q) {
  const double third = std::cbrt(q);
  return 0.49 * third * third / (0.6 * third * third + std::log1p(third));
}

roche_model::roche_model(double mass1, double mass2, double separation)
    : m1_(mass1), m2_(mass2), separation_(separation) {
  EXPECT(mass1 > 0 && mass2 > 0 && separation > 0);
  const double mass = mass1 + mass2;
  omega_ = std::sqrt(mass / (separation * separation * separation));
  x1_ = -separation * mass2 / mass;
  x2_ = separation * mass1 / mass;
}

double roche_model::potential(core::vec3d r) const {
  const double rest = r.y * r.y + r.z * r.z;
  return -m1_ / std::sqrt((r.x - x1_) * (r.x - x1_) + rest) - m2_ / std::sqrt((r.x - x2_) * (r.x - x2_) + rest) -
         0.5 * omega_ * omega_ * (r.x * r.x + r.y * r.y);
}

double roche_model::slope(double x) const {
  const double d1 = x - x1_, d2 = x - x2_;
  return m1_ * d1 / std::fabs(d1 * d1 * d1) + m2_ * d2 / std::fabs(d2 * d2 * d2) - omega_ * omega_ * x;
}

double roche_model::l1() const {
  const double margin = 1e-6 * separation_;
  return find_root([&](double x) { return slope(x); }, x1_ + margin, x2_ - margin, 1e-15 * separation_);
}

double roche_model::beyond(int star) const {
  const double sign = star == 0 ? -1 : 1, from = centre(star) + sign * 1e-6 * separation_;
  return find_root([&](double x) { return slope(x); }, from, sign * 2.5 * separation_, 1e-15 * separation_);
}

double roche_model::l2() const { return beyond(m1_ < m2_ ? 0 : 1); }
double roche_model::l3() const { return beyond(m1_ < m2_ ? 1 : 0); }

}  // namespace rednova::stellar
