#include "stellar/rotating_polytrope.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"

namespace rednova::stellar {

namespace {
constexpr int steps_to_surface = 4000;
constexpr double fastest = 0.3;
constexpr double p2_pole = 1, p2_equator = -0.5;
}  // namespace

rotating_polytrope::rotating_polytrope(double n, double mass, double equatorial_radius, double omega) : profile_(n) {
  EXPECT(mass > 0 && equatorial_radius > 0);
  const double share = omega * omega * equatorial_radius * equatorial_radius * equatorial_radius / mass;
  if (share > fastest) {
    core::fail("a star that turns at {:.3g} of its break-up rate is beyond the first-order model: at most {:.3g}",
               std::sqrt(share), std::sqrt(fastest));
  }
  if (omega != 0) {
    EXPECT(n >= 1);  // below, the surface bends the perturbation too sharply for its first order
    integrate();
  }
  // v depends on the central density, which depends through mass and radius on v.
  double change = 1;
  for (int i = 0; i < 200 && change > 1e-15; ++i) {
    length_ = equatorial_radius / surface(p2_equator);
    const double scaled_mass = profile_.xi1() * profile_.xi1() * profile_.surface_slope() + v_ * d0_;
    central_density_ = mass / (4 * core::pi * length_ * length_ * length_ * scaled_mass);
    const double next = omega * omega / (2 * core::pi * central_density_);
    change = std::fabs(next - v_);
    v_ = next;
  }
  ENSURE(change < 1e-12);
  central_pressure_ = 4 * core::pi * central_density_ * central_density_ * length_ * length_ / (n + 1);
}

/// psi_0'' + 2 psi_0'/xi = 1 - n theta^(n-1) psi_0 and psi_2'' + 2 psi_2'/xi - 6 psi_2/xi² = -n theta^(n-1) psi_2
/// (Chandrasekhar 1933, eqs. 36, 37), with the classical Runge-Kutta scheme, and their match to the vacuum.
void rotating_polytrope::integrate() {
  const double n = index();
  step_ = profile_.xi1() / steps_to_surface;
  const auto rate = [&](double xi, const point& p) {
    const double theta = profile_.theta(xi);
    const double q = n > 0 && theta > 0 ? n * std::pow(theta, n - 1) : 0.0;
    return point{p.slope0, 1 - q * p.psi0 - 2 * p.slope0 / xi, p.slope2,
                 (6 / (xi * xi) - q) * p.psi2 - 2 * p.slope2 / xi};
  };
  const auto ahead = [](const point& p, double h, const point& k) {
    return point{p.psi0 + h * k.psi0, p.slope0 + h * k.slope0, p.psi2 + h * k.psi2, p.slope2 + h * k.slope2};
  };
  nodes_.assign(1, point{0, 0, 0, 0});
  // The series about the centre, to fourth order.
  const double x = step_, x2 = x * x;
  nodes_.push_back(
      {x2 / 6 - n * x2 * x2 / 120, x / 3 - n * x2 * x / 30, x2 - n * x2 * x2 / 14, 2 * x - 4 * n * x2 * x / 14});
  for (int i = 1; i < steps_to_surface; ++i) {
    const double xi = i * step_;
    const point p = nodes_.back();
    const point k1 = rate(xi, p), k2 = rate(xi + step_ / 2, ahead(p, step_ / 2, k1));
    const point k3 = rate(xi + step_ / 2, ahead(p, step_ / 2, k2)), k4 = rate(xi + step_, ahead(p, step_, k3));
    nodes_.push_back(ahead(ahead(ahead(ahead(p, step_ / 6, k1), step_ / 3, k2), step_ / 3, k3), step_ / 6, k4));
  }
  const point s = nodes_.back();
  const double xi = profile_.xi1();
  a2_ = -5.0 / 6 * xi * xi / (xi * s.slope2 + 3 * s.psi2);
  d0_ = xi * xi * (xi / 3 - s.slope0);
  c0_ = s.psi0 - xi * xi / 6 - d0_ / xi;
  c2_ = (a2_ * s.psi2 + xi * xi / 6) * xi * xi * xi;
}

double rotating_polytrope::theta0(double xi) const {
  if (xi < profile_.xi1()) return profile_.theta(xi);
  return profile_.xi1() * profile_.surface_slope() * (profile_.xi1() / xi - 1);
}

rotating_polytrope::point rotating_polytrope::psi(double xi) const {
  if (xi >= profile_.xi1()) {
    return {xi * xi / 6 + c0_ + d0_ / xi, 0, (-xi * xi / 6 + c2_ / (xi * xi * xi)) / a2_, 0};
  }
  const int i = std::min(static_cast<int>(xi / step_), steps_to_surface - 1);
  const point &p = nodes_[static_cast<std::size_t>(i)], &q = nodes_[static_cast<std::size_t>(i) + 1];
  const double t = xi / step_ - i, r = 1 - t;
  const auto cubic = [&](double a, double da, double b, double db) {
    return r * r * ((1 + 2 * t) * a + t * step_ * da) + t * t * ((1 + 2 * r) * b - r * step_ * db);
  };
  return {cubic(p.psi0, p.slope0, q.psi0, q.slope0), 0, cubic(p.psi2, p.slope2, q.psi2, q.slope2), 0};
}

double rotating_polytrope::scaled_theta(double xi, double p2) const {
  if (v_ == 0) return theta0(xi);
  const point s = psi(xi);
  return theta0(xi) + v_ * (s.psi0 + a2_ * s.psi2 * p2);
}

double rotating_polytrope::surface(double p2) const {
  if (v_ == 0) return profile_.xi1();
  double inside = 0.5 * profile_.xi1(), outside = inside;
  // The first zero outwards: far out the centrifugal term wins again.
  while (scaled_theta(outside, p2) > 0 && outside < 3 * profile_.xi1()) {
    inside = outside;
    outside += 0.01 * profile_.xi1();
  }
  ENSURE(scaled_theta(outside, p2) <= 0);
  for (int i = 0; i < 60; ++i) {
    const double middle = (inside + outside) / 2;
    (scaled_theta(middle, p2) > 0 ? inside : outside) = middle;
  }
  return (inside + outside) / 2;
}

double rotating_polytrope::theta(double axis_distance, double height) const {
  const double r2 = axis_distance * axis_distance + height * height;
  const double p2 = r2 > 0 ? 1.5 * height * height / r2 - 0.5 : 0;
  return scaled_theta(std::sqrt(r2) / length_, p2);
}

double rotating_polytrope::axis_ratio() const { return surface(p2_pole) / surface(p2_equator); }

}  // namespace rednova::stellar
