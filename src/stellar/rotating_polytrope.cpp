#include "stellar/rotating_polytrope.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "stellar/structure.hpp"

namespace rednova::stellar {

namespace {

/// Points and weights of Gauss and Legendre on [0, 1].
template <int Points>
struct gauss_rule {
  std::array<double, Points> points, weights;

  gauss_rule() {
    for (int i = 0; i < Points; ++i) {
      // Newton's iteration from about the zero of P_Points.
      double x = std::cos(core::pi * (i + 0.75) / (Points + 0.5)), slope = 0;
      for (int round = 0; round < 8; ++round) {
        slope = Points * (x * std::legendre(Points, x) - std::legendre(Points - 1, x)) / (x * x - 1);
        x -= std::legendre(Points, x) / slope;
      }
      points[static_cast<std::size_t>(i)] = 0.5 * (1 + x);
      weights[static_cast<std::size_t>(i)] = 1 / ((1 - x * x) * slope * slope);
    }
  }
};

constexpr int radial_points = 3, angles = 32;
constexpr double converged = 1e-13;
constexpr int most_iterations = 2000;

/// Calls f(k, P_2k(cosine)) for k = 0 … count - 1.
template <class F>
void each_even_legendre(int count, double cosine, F&& f) {
  double before = 1, p = cosine;  // P_(2k), P_(2k + 1)
  for (int k = 0; k < count; ++k) {
    f(k, before);
    const int l = 2 * k + 1;
    const double next = ((2 * l + 1) * cosine * p - l * before) / (l + 1);
    p = ((2 * l + 3) * cosine * next - (l + 1) * p) / (l + 2);
    before = next;
  }
}

}  // namespace

class rotating_polytrope::shells {
 public:
  static constexpr double width = 1.0 / intervals;
  using shell = std::array<double, angles>;

  explicit shells(const lane_emden& profile) : theta_(intervals * radial_points) {
    for (std::size_t j = 0; j < angles; ++j)
      each_even_legendre(multipoles, cosine(j),
                         [&](int k, double p) { legendre_[j][static_cast<std::size_t>(k)] = p; });
    each_shell([&](double radius, shell& here) { here.fill(profile.theta(profile.xi1() * radius)); });
  }

  double cosine(std::size_t j) const { return angular_.points[j]; }
  /// Calls f(radius, Theta by angle) for all.
  template <class F>
  void each_shell(F&& f) {
    for (int i = 0; i < intervals; ++i)
      for (std::size_t q = 0; q < radial_points; ++q) f(radius(i, q), theta_[place(i, q)]);
  }
  /// The moments of theta^n at each radius.
  std::vector<std::array<double, multipoles>> densities(double n) const {
    std::vector<std::array<double, multipoles>> of(theta_.size());
    for (std::size_t s = 0; s < theta_.size(); ++s) {
      of[s].fill(0);
      for (std::size_t j = 0; j < angles; ++j) {
        if (theta_[s][j] <= 0) continue;
        const double rho = angular_.weights[j] * index_power(theta_[s][j], n);
        for (std::size_t k = 0; k < multipoles; ++k) of[s][k] += static_cast<double>(4 * k + 1) * rho * legendre_[j][k];
      }
    }
    return of;
  }
  /// The integral over an interval of density × weight(radius), of the moment k.
  template <class Weight>
  double integral(const std::vector<std::array<double, multipoles>>& densities, int i, std::size_t k,
                  const Weight& weight) const {
    double sum = 0;
    for (std::size_t q = 0; q < radial_points; ++q)
      sum += width * radial_.weights[q] * densities[place(i, q)][k] * weight(radius(i, q));
    return sum;
  }

 private:
  double radius(int i, std::size_t q) const { return width * (i + radial_.points[q]); }
  static std::size_t place(int i, std::size_t q) { return static_cast<std::size_t>(i) * radial_points + q; }

  gauss_rule<radial_points> radial_;
  gauss_rule<angles> angular_;
  std::array<std::array<double, multipoles>, angles> legendre_;
  std::vector<shell> theta_;
};

rotating_polytrope::rotating_polytrope(double n, double mass, double equatorial_radius, double omega)
    : profile_(n),
      equatorial_radius_(equatorial_radius),
      rate_(omega * omega * equatorial_radius * equatorial_radius * equatorial_radius / mass) {
  EXPECT(mass > 0 && equatorial_radius > 0);
  const double a = equatorial_radius;
  if (omega == 0) {
    const double scale = profile_.xi1() / a;
    central_density_ =
        mass * scale * scale * scale / (4 * core::pi * profile_.xi1() * profile_.xi1() * profile_.surface_slope());
    central_pressure_ = 4 * core::pi * central_density_ * central_density_ / (scale * scale * (n + 1));
    return;
  }
  EXPECT(n >= least_index);
  iterate();
  central_density_ = mass / (a * a * a * mass_);
  central_pressure_ = central_density_ * central_density_ * a * a * centre_ / (n + 1);
}

/// Density theta^n -> potential -> theta, until theta stays. The equator is at 1, and omega² follows from the mass.
void rotating_polytrope::iterate() {
  shells theta(profile_);
  double change = 1;
  for (int round = 0; change > converged && round < most_iterations; ++round) {
    take_potential(theta);
    change = 0;
    theta.each_shell([&](double r, shells::shell& here) {
      const moments at = moments_at(r);
      for (std::size_t j = 0; j < angles; ++j) {
        const double mu = theta.cosine(j);
        const double next = (surface_ - potential(at, mu) + 0.5 * rate_ * mass_ * r * r * (1 - mu * mu)) / centre_;
        change = std::max(change, std::fabs(next - here[j]));
        here[j] = next;
      }
    });
  }
  if (!(change <= converged) || outward(1) >= 0)
    core::fail(
        "a polytrope of index {:.3g} cannot turn at {:.3g} of the Keplerian rate of its equator: it would shed mass "
        "there; turn it slower",
        index(), std::sqrt(rate_));
  double held = 1, lost = 2;
  while (outward(lost) < 0) lost *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (held + lost) / 2;
    (outward(middle) < 0 ? held : lost) = middle;
  }
  farthest_ = held;
}

/// Of the mass within, r^(-l-1) ∫ rho_l y^(l+2) dy, outwards; of that beyond, r^l ∫ rho_l y^(1-l) dy, inwards.
void rotating_polytrope::take_potential(const shells& of) {
  const auto densities = of.densities(index());
  nodes_.resize(intervals + 1);
  for (std::size_t k = 0; k < multipoles; ++k) {
    const int l = 2 * static_cast<int>(k);
    std::array<double, intervals + 1> within{}, beyond{};
    for (int i = 0; i < intervals; ++i) {
      const double outer = shells::width * (i + 1);
      within[static_cast<std::size_t>(i) + 1] =
          within[static_cast<std::size_t>(i)] * std::pow(i / (i + 1.0), l + 1) +
          of.integral(densities, i, k, [&](double y) { return y * std::pow(y / outer, l + 1); });
    }
    for (int i = intervals - 1; i >= 0; --i) {
      const double inner = shells::width * i;
      beyond[static_cast<std::size_t>(i)] =
          beyond[static_cast<std::size_t>(i) + 1] * std::pow(i / (i + 1.0), l) +
          of.integral(densities, i, k, [&](double y) { return y * std::pow(inner / y, l); });
    }
    const double factor = -4 * core::pi / (2 * l + 1);
    for (std::size_t i = 0; i <= intervals; ++i) {
      const double r = shells::width * static_cast<double>(i);
      nodes_[i][k] = {factor * (within[i] + beyond[i]), i ? factor * (l * beyond[i] - (l + 1) * within[i]) / r : 0.0};
    }
  }
  mass_ = -nodes_.back()[0].value;
  surface_ = potential(nodes_.back(), 0) - 0.5 * rate_ * mass_;
  centre_ = surface_ - potential(nodes_.front(), 0);
}

double rotating_polytrope::outward(double axis_distance) const {
  double sum = rate_ * mass_ * axis_distance;
  each_even_legendre(multipoles, 0, [&](int k, double p) {
    sum -= nodes_.back()[static_cast<std::size_t>(k)].slope * std::pow(axis_distance, -2 * k - 2) * p;
  });
  return sum;
}

rotating_polytrope::moments rotating_polytrope::moments_at(double radius) const {
  moments at;
  if (radius >= 1) {
    double falls = 1 / radius;
    for (std::size_t k = 0; k < multipoles; ++k, falls /= radius * radius) at[k] = {nodes_.back()[k].value * falls, 0};
    return at;
  }
  const int i = std::min(static_cast<int>(radius * intervals), intervals - 1);
  const moments &p = nodes_[static_cast<std::size_t>(i)], &q = nodes_[static_cast<std::size_t>(i) + 1];
  const double t = radius * intervals - i, r = 1 - t, width = 1.0 / intervals;
  for (std::size_t k = 0; k < multipoles; ++k)
    at[k] = {r * r * ((1 + 2 * t) * p[k].value + t * width * p[k].slope) +
                 t * t * ((1 + 2 * r) * q[k].value - r * width * q[k].slope),
             0};
  return at;
}

double rotating_polytrope::potential(const moments& at, double cosine) const {
  double sum = 0;
  each_even_legendre(multipoles, cosine, [&](int k, double p) { sum += at[static_cast<std::size_t>(k)].value * p; });
  return sum;
}

double rotating_polytrope::enthalpy(double axis_distance, double height) const {
  const double s = std::min(axis_distance, farthest_), r = std::hypot(s, height);
  return surface_ - potential(moments_at(r), r > 0 ? height / r : 0) + 0.5 * rate_ * mass_ * s * s;
}

double rotating_polytrope::theta(double axis_distance, double height) const {
  const double s = axis_distance / equatorial_radius_, z = height / equatorial_radius_;
  if (rate_ > 0) return enthalpy(s, z) / centre_;
  const double r = std::hypot(s, z);
  return r < 1 ? profile_.theta(profile_.xi1() * r) : profile_.xi1() * profile_.surface_slope() * (1 / r - 1);
}

double rotating_polytrope::axis_ratio() const {
  if (rate_ == 0) return 1;
  double inside = 0, outside = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (inside + outside) / 2;
    (enthalpy(0, middle) > 0 ? inside : outside) = middle;
  }
  return (inside + outside) / 2;
}

}  // namespace rednova::stellar
