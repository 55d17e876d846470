#include "stellar/roche.hpp"

#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "core/vec3.hpp"
#include "stellar/root.hpp"

namespace rednova::stellar {

namespace {

/// A star of mass q at the origin, whose companion of mass 1 is at x = 1, on a circular orbit, turning at its own rate.
struct asynchronous_roche {
  double q, rate2;  // rate of the star's rotation, squared

  asynchronous_roche(double mass_ratio, double spin) : q(mass_ratio), rate2(spin * spin * (1 + mass_ratio)) {}

  /// The companion's pull on the star's centre is 1, which + n.x r takes off.
  double potential(double r, core::vec3d n) const {
    return -q / r - 1 / std::sqrt(1 - 2 * r * n.x + r * r) + r * n.x - 0.5 * rate2 * r * r * (n.x * n.x + n.y * n.y);
  }
  double l1() const {
    const auto slope = [&](double x) { return q / (x * x) - 1 / ((1 - x) * (1 - x)) + 1 - rate2 * x; };
    return find_root(slope, 1e-9, 1 - 1e-9, 1e-15);
  }
  /// Radius of the sphere with the volume inside the surface through L1. The potential rises outwards in all
  /// directions as far as L1 is, least of all towards the companion, so each meets the surface once.
  double lobe() const {
    constexpr int polar = 96, azimuths = 24;  // of the quarter y, z > 0
    const double farthest = l1(), top = potential(farthest, {1, 0, 0});
    double sum = 0;
    for (int i = 0; i < polar; ++i) {
      const double theta = core::pi * (i + 0.5) / polar;
      for (int j = 0; j < azimuths; ++j) {
        const double phi = core::pi / 2 * (j + 0.5) / azimuths;
        const core::vec3d n{std::cos(theta), std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi)};
        const double r = find_root([&](double x) { return x * (potential(x, n) - top); }, 1e-9, farthest, 1e-9);
        sum += r * r * r * std::sin(theta);
      }
    }
    const double steps = core::pi / polar * (2 * core::pi / azimuths);
    return std::cbrt(sum * steps / (4 * core::pi));
  }
};

}  // namespace

double eggleton_lobe(double q) {
  const double third = std::cbrt(q);
  return 0.49 * third * third / (0.6 * third * third + std::log1p(third));
}

double asynchronous_lobe(double q, double spin) {
  if (spin == 1) return eggleton_lobe(q);
  return eggleton_lobe(q) * asynchronous_roche(q, spin).lobe() / asynchronous_roche(q, 1).lobe();
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
