#include "problem/riemann_exact.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace rednova::problem {

namespace {

double sound_speed(const riemann_state& s, double gamma) { return std::sqrt(gamma * s.pressure / s.density); }

struct curve {
  double value, slope;
};

/// Change of velocity across the wave that leads from s to pressure p, and its derivative (Toro eqs. 4.6, 4.7, 4.37).
curve wave(double p, const riemann_state& s, double gamma) {
  if (p > s.pressure) {
    const double a = 2 / ((gamma + 1) * s.density), b = (gamma - 1) / (gamma + 1) * s.pressure;
    const double root = std::sqrt(a / (p + b));
    return {(p - s.pressure) * root, root * (1 - (p - s.pressure) / (2 * (p + b)))};
  }
  const double c = sound_speed(s, gamma), ratio = p / s.pressure;
  return {2 * c / (gamma - 1) * (std::pow(ratio, (gamma - 1) / (2 * gamma)) - 1),
          std::pow(ratio, -(gamma + 1) / (2 * gamma)) / (s.density * c)};
}

/// The speed of the outer edge of the wave to the right of the contact at pressure p (Toro eqs. 4.59, 4.62).
double outer_edge(const riemann_state& s, double p, double gamma) {
  const double c = sound_speed(s, gamma);
  if (p <= s.pressure) return s.velocity + c;
  return s.velocity + c * std::sqrt((gamma + 1) / (2 * gamma) * p / s.pressure + (gamma - 1) / (2 * gamma));
}

/// The solution to the right of the contact, which moves with u at pressure p.
riemann_state right_side(const riemann_state& s, double p, double u, double gamma, double speed) {
  if (speed >= outer_edge(s, p, gamma)) return s;
  const double ratio = p / s.pressure, mu = (gamma - 1) / (gamma + 1);
  if (p > s.pressure) return {s.density * (ratio + mu) / (mu * ratio + 1), u, p};
  const double c = sound_speed(s, gamma);
  const double c_star = c * std::pow(ratio, (gamma - 1) / (2 * gamma));
  if (speed <= u + c_star) return {s.density * std::pow(ratio, 1 / gamma), u, p};
  // Inside the fan (Toro eq. 4.63).
  const double k = 2 / (gamma + 1) - mu / c * (s.velocity - speed);
  return {s.density * std::pow(k, 2 / (gamma - 1)), 2 / (gamma + 1) * (-c + (gamma - 1) / 2 * s.velocity + speed),
          s.pressure * std::pow(k, 2 * gamma / (gamma - 1))};
}

}  // namespace

riemann_exact::riemann_exact(const riemann_state& left, const riemann_state& right, double gamma)
    : left_(left), right_(right), gamma_(gamma) {
  EXPECT(left.density > 0 && right.density > 0 && left.pressure > 0 && right.pressure > 0 && gamma > 1);
  const double parting = right.velocity - left.velocity;
  if (2 * (sound_speed(left, gamma) + sound_speed(right, gamma)) / (gamma - 1) <= parting) {
    core::fail("the two states part so fast that a vacuum opens between them: lower right_velocity - left_velocity");
  }
  // Newton from the two-rarefaction pressure (Toro eq. 4.46), which lies at or below the root of a concave
  // function from where the iteration never overshoots to negative pressure.
  const double z = (gamma - 1) / (2 * gamma);
  const double cl = sound_speed(left, gamma), cr = sound_speed(right, gamma);
  double p = std::pow(
      (cl + cr - (gamma - 1) / 2 * parting) / (cl / std::pow(left.pressure, z) + cr / std::pow(right.pressure, z)),
      1 / z);
  for (int i = 0; i < 100; ++i) {
    const curve l = wave(p, left, gamma), r = wave(p, right, gamma);
    const double next = std::max(p - (l.value + r.value + parting) / (l.slope + r.slope), 1e-3 * p);
    const double change = std::fabs(next - p) / next;
    p = next;
    if (change < 1e-15) break;
  }
  pressure_ = p;
  speed_ = (left.velocity + right.velocity + wave(p, right, gamma).value - wave(p, left, gamma).value) / 2;
}

riemann_state riemann_exact::at(double speed) const {
  if (speed > speed_) return right_side(right_, pressure_, speed_, gamma_, speed);
  return mirrored(right_side(mirrored(left_), pressure_, -speed_, gamma_, -speed));
}

double riemann_exact::leftmost() const { return -outer_edge(mirrored(left_), pressure_, gamma_); }
double riemann_exact::rightmost() const { return outer_edge(right_, pressure_, gamma_); }

}  // namespace rednova::problem
