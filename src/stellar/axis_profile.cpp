#include "stellar/axis_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.hpp"

namespace rednova::stellar {

namespace {

// Coefficients of the piece in t = (x - a.x) / (b.x - a.x).
std::array<double, 4> cubic(const axis_profile::point& a, const axis_profile::point& b) {
  const double w = b.x - a.x, rise = b.value - a.value;
  return {a.value, w * a.slope, 3 * rise - w * (2 * a.slope + b.slope), w * (a.slope + b.slope) - 2 * rise};
}

double value(const std::array<double, 4>& c, double t) { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }

}  // namespace

axis_profile::axis_profile(std::vector<point> points) : points_(std::move(points)) {
  EXPECT(points_.size() >= 2);
  std::ranges::sort(points_, {}, &point::x);
}

double axis_profile::at(double x) const {
  auto b = std::ranges::upper_bound(points_, x, {}, &point::x);
  b = std::clamp(b, points_.begin() + 1, points_.end() - 1);
  const auto a = b - 1;
  return value(cubic(*a, *b), (x - a->x) / (b->x - a->x));
}

double axis_profile::maximum(double from, double to) const {
  double best = at(from) >= at(to) ? from : to, highest = at(best);
  const auto consider = [&](double x, double v) {
    if (v > highest) {
      highest = v;
      best = x;
    }
  };
  for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
    const point &a = points_[i], &b = points_[i + 1];
    if (b.x <= from || a.x >= to) continue;
    const std::array<double, 4> c = cubic(a, b);
    // Roots of c1 + 2 c2 t + 3 c3 t² in the form that does not cancel.
    const double root = c[2] * c[2] - 3 * c[1] * c[3];
    if (root < 0) continue;
    const double q = -(c[2] + std::copysign(std::sqrt(root), c[2]));
    for (const double t : {q != 0 ? c[1] / q : 2.0, c[3] != 0 ? q / (3 * c[3]) : 2.0}) {
      const double x = a.x + t * (b.x - a.x);
      if (t >= 0 && t <= 1 && x > from && x < to) consider(x, value(c, t));
    }
  }
  return best;
}

}  // namespace rednova::stellar
