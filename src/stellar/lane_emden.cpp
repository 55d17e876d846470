#include "stellar/lane_emden.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"

namespace rednova::stellar {

namespace {

/// theta^n, 0 beyond the surface.
double source(double theta, double n) { return theta >= 0 ? std::pow(theta, n) : 0.0; }

double second_derivative(double xi, double theta, double slope, double n) { return -source(theta, n) - 2 * slope / xi; }

/// One step of the classical Runge-Kutta scheme for (y, z)' = (f, g)(t, y, z).
template <class F>
void runge_kutta(double t, double dt, double& y, double& z, const F& rate) {
  double ky[4], kz[4];
  rate(t, y, z, ky[0], kz[0]);
  rate(t + dt / 2, y + dt / 2 * ky[0], z + dt / 2 * kz[0], ky[1], kz[1]);
  rate(t + dt / 2, y + dt / 2 * ky[1], z + dt / 2 * kz[1], ky[2], kz[2]);
  rate(t + dt, y + dt * ky[2], z + dt * kz[2], ky[3], kz[3]);
  y += dt / 6 * (ky[0] + 2 * ky[1] + 2 * ky[2] + ky[3]);
  z += dt / 6 * (kz[0] + 2 * kz[1] + 2 * kz[2] + kz[3]);
}

}  // namespace

lane_emden::lane_emden(double n) : n_(n) {
  EXPECT(n >= 0 && n < 5);
  const double first = 1e-2;
  nodes_.push_back({0, 1, 0});
  // The series about the centre, whose next terms are below 1e-16 at `first`.
  const double x2 = first * first;
  const double c6 = n * (8 * n - 5) / 15120;
  nodes_.push_back(
      {first, 1 - x2 / 6 + n * x2 * x2 / 120 - c6 * x2 * x2 * x2, first * (-1.0 / 3 + n * x2 / 30 - 6 * c6 * x2 * x2)});
  while (true) {
    const point p = nodes_.back();
    // A share of the distance to the surface as the slope foretells it, since theta^n bends there when n < 2.
    const double step = std::min(2e-3 * std::max(1.0, p.xi), 0.02 * p.theta / -p.slope);
    point q{p.xi + step, p.theta, p.slope};
    runge_kutta(p.xi, step, q.theta, q.slope,
                [n](double xi, double theta, double slope, double& dtheta, double& dslope) {
                  dtheta = slope;
                  dslope = second_derivative(xi, theta, slope, n);
                });
    nodes_.push_back(q);
    if (q.theta < 1e-6) break;
  }
  // The rest with theta as the independent variable, which ends exactly on the surface.
  point s = nodes_.back();
  runge_kutta(s.theta, -s.theta, s.xi, s.slope,
              [n](double theta, double xi, double slope, double& dxi, double& dslope) {
                dxi = 1 / slope;
                dslope = second_derivative(xi, theta, slope, n) / slope;
              });
  s.theta = 0;
  nodes_.push_back(s);
}

const lane_emden::point* lane_emden::interval(double xi) const {
  const auto above =
      std::upper_bound(nodes_.begin() + 1, nodes_.end() - 1, xi, [](double x, const point& p) { return x < p.xi; });
  return &*(above - 1);
}

double lane_emden::curvature(const point& p) const {
  return p.xi > 0 ? second_derivative(p.xi, p.theta, p.slope, n_) : -1.0 / 3;
}

double lane_emden::theta(double xi) const {
  if (xi >= xi1()) return 0;
  const point* p = interval(xi);
  const double h = p[1].xi - p[0].xi;
  const double t = (xi - p[0].xi) / h, r = 1 - t;
  return r * r * ((1 + 2 * t) * p[0].theta + t * h * p[0].slope) +
         t * t * ((1 + 2 * r) * p[1].theta - r * h * p[1].slope);
}

double lane_emden::slope(double xi) const {
  if (xi >= xi1()) return -surface_slope() * (xi1() / xi) * (xi1() / xi);
  const point* p = interval(xi);
  const double h = p[1].xi - p[0].xi;
  const double t = (xi - p[0].xi) / h, r = 1 - t;
  return r * r * ((1 + 2 * t) * p[0].slope + t * h * curvature(p[0])) +
         t * t * ((1 + 2 * r) * p[1].slope - r * h * curvature(p[1]));
}

polytrope::polytrope(double n, double mass, double radius) : profile_(n), mass_(mass), radius_(radius) {
  EXPECT(mass > 0 && radius > 0);
  const double a = radius / profile_.xi1();
  central_density_ = profile_.central_concentration() * mass / (4 * core::pi / 3 * radius * radius * radius);
  // a² = (n + 1) K rho_c^(1/n - 1) / (4 pi G), so p_c = 4 pi G rho_c² a² / (n + 1): also right for n = 0.
  central_pressure_ = 4 * core::pi * central_density_ * central_density_ * a * a / (n + 1);
}

double polytrope::density_of_theta(double theta) const {
  return theta > 0 ? central_density_ * source(theta, index()) : 0.0;
}

double polytrope::pressure_of_theta(double theta) const {
  return theta > 0 ? central_pressure_ * std::pow(theta, index() + 1) : 0.0;
}

double polytrope::density(double r) const { return density_of_theta(profile_.theta(r / radius_ * profile_.xi1())); }

double polytrope::pressure(double r) const { return pressure_of_theta(profile_.theta(r / radius_ * profile_.xi1())); }

double polytrope::mass_within(double r) const {
  if (r >= radius_) return mass_;
  const double s = r / radius_;
  return mass_ * s * s * profile_.slope(s * profile_.xi1()) / -profile_.surface_slope();
}

double polytrope::potential(double r) const {
  if (r >= radius_) return -mass_ / r;
  // Hydrostatic equilibrium: (n + 1) p/rho + phi is constant, and p/rho = theta p_c/rho_c vanishes on the surface.
  return -mass_ / radius_ -
         (index() + 1) * central_pressure_ / central_density_ * profile_.theta(r / radius_ * profile_.xi1());
}

}  // namespace rednova::stellar
