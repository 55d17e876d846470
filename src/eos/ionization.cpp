#include "eos/ionization.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace rednova::eos {
namespace {

using namespace core;

/// Bounds of the unknowns in which every equilibrium lies.
struct interval {
  double low, high;
};

/// Bound ones, too.
double all_electrons(const mixture& gas, double log_rho) { return std::exp(log_rho) * gas.electrons; }

/// The Fermi energy of n electrons per cm^3 at zero temperature over k T.
double cold_eta(double n, double beta) {
  const double x = std::cbrt(n * atomic_mass / 9.74e5), x2 = x * x;
  return x2 / (1.0 + std::sqrt(1.0 + x2)) / beta;
}

interval electron_bounds(const mixture& gas, double log_rho, double beta, positrons kind) {
  const double most = cold_eta(all_electrons(gas, log_rho), beta) + 30.0;
  if (kind == positrons::none) return {-690.0, most};
  return {-65.0, std::log(most + 1.0 / beta)};
}
constexpr interval occupation_bounds{-160.0, 8.0};

/// A guess: all electrons free where it is hot or dense, fewer of them where e^(13.6 eV / k T) is large.
potentials first_guess(const mixture& gas, double log_rho, double log_t) {
  const positrons kind = kind_at(log_t);
  const double t = std::exp(log_t), beta = rest_temperature(t), n = all_electrons(gas, log_rho);
  const double log_states = 1.5 * std::log(2.0 * pi * electron_mass * boltzmann * t / (planck * planck));
  const double thin = std::log(0.5 * n) - log_states, fermi = cold_eta(n, beta);
  double w = fermi > 1.0 ? fermi : thin;
  if (kind == positrons::included) {
    const double pairs = 0.25 * n * std::exp(1.0 / beta - log_states) / std::pow(1.0 + beta, 1.5);
    w = std::max(w + 1.0 / beta, 1e-2);
    w = std::log(w < 1.0 ? std::clamp(pairs, 1e-30, 3.0) : w);
  } else if (fermi < 1.0) {
    const double bound = 13.6 * electron_volt / (boltzmann * t) + std::log(n) - log_states;
    w = std::max(w - 0.5 * std::max(bound, 0.0), -690.0);
  }
  const double u = std::log(std::min(hydrogen_volume * n, 3.0)) - (t > 1e5 ? 5.0 : 0.0);
  return {w, std::max(u, -100.0), kind, true};
}

/// The imbalance with its derivatives by the two unknowns.
imbalance<dual<2>> imbalance_at(const mixture& gas, const thermal_terms<double>& at, double electron, double log_u,
                                positrons kind) {
  const electron_potential<dual<2>> mu(dual<2>::variable(electron, 0), at.kelvin, kind);
  const dual<1> free = electron_number(mu.of_gas.value, rest_temperature(at.kelvin), kind);
  return imbalance_of(gas, at, mu.eta, dual<2>::variable(log_u, 1), chain(mu.of_gas, free.value, free.slopes[0]));
}

/// True when it has converged; `p` is then the solution.
bool newton(const mixture& gas, const thermal_terms<double>& at, potentials& p) {
  constexpr int most_steps = 40;
  for (int n = 0; n < most_steps; ++n) {
    const auto r = imbalance_at(gas, at, p.electron, p.log_occupation, p.kind);
    const auto [a, b] = r.charge.slopes;
    const auto [c, d] = r.occupation.slopes;
    const double over = 1.0 / (a * d - b * c);
    const double dw = (b * r.occupation.value - d * r.charge.value) * over;
    const double du = (c * r.charge.value - a * r.occupation.value) * over;
    if (!std::isfinite(dw) || !std::isfinite(du)) return false;
    // Steps are limited: in ln u where pressure ionization is steep.
    const double most_w = 1.0 + 0.15 * std::abs(p.electron), most_u = p.log_occupation > -1.0 ? 0.3 : 1.5;
    const double part = std::min({1.0, most_w / std::abs(dw), most_u / std::abs(du)});
    p.electron += part * dw;
    p.log_occupation += part * du;
    const double size = std::abs(p.electron);
    const double left = std::abs(r.charge.value) + std::abs(r.occupation.value);
    if (left < 1e-11 + (p.kind == positrons::none ? 1e-13 * size : 0.0)) return true;
    if (std::abs(dw) < 3e-15 * (1.0 + size) && std::abs(du) < 1e-13) return true;
  }
  return false;
}

/// The zero of a falling function within the bounds by Newton's steps, and by bisection where they leave the bracket or
/// do not halve it in three steps. `f(x)` gives value and slope; a value of minus infinity is below zero.
template <class F>
double falling_zero(interval in, double x, const F& f) {
  double width = in.high - in.low;
  for (int n = 0; n < 200; ++n) {
    if (n % 3 == 0) {
      if (n > 0 && in.high - in.low > 0.5 * width) x = 0.5 * (in.low + in.high);
      width = in.high - in.low;
    }
    const auto [value, slope] = f(x);
    (value > 0 ? in.low : in.high) = x;
    const double next = x - value / slope;
    const bool inside = next > in.low && next < in.high;
    if (inside && std::abs(next - x) < 2e-16 * (1.0 + std::abs(x)) * 4) return next;
    const double middle = 0.5 * (in.low + in.high);
    x = inside ? next : middle;
    if (!(in.high - in.low > 4e-16 * (1.0 + std::abs(x)))) return x;
  }
  return x;
}

/// ln u falls with more volume at a fixed potential, and charge with the potential at the volume that belongs to it:
/// both since the free energy is convex.
potentials nested(const mixture& gas, const thermal_terms<double>& at, double log_rho, double beta, positrons kind) {
  double log_u = -10.0;
  struct point {
    double value, slope;
  };
  const auto charge = [&](double w) {
    const auto occupation = [&](double lu) {
      const electron_potential<double> mu(w, at.kelvin, kind);
      const auto sum = populations<wanted::balance>(gas, at, dual<2>(mu.eta), dual<2>::variable(lu, 0));
      const dual<2> left = log(sum.occupation) - dual<2>::variable(lu, 0);
      return point{left.value, left.slopes[0]};
    };
    log_u = falling_zero(occupation_bounds, log_u, occupation);
    const auto r = imbalance_at(gas, at, w, log_u, kind);
    const double follow = -r.occupation.slopes[0] / r.occupation.slopes[1];
    return point{r.charge.value, r.charge.slopes[0] + r.charge.slopes[1] * follow};
  };
  const interval bounds = electron_bounds(gas, log_rho, beta, kind);
  const double w = falling_zero(bounds, 0.5 * (bounds.low + bounds.high), charge);
  charge(w);
  return {w, log_u, kind, true};
}

}  // namespace

potentials solve_ionization(const mixture& gas, double log_rho, double log_t, const potentials& start) {
  const thermal_terms<double> at = make_thermal_terms(gas, log_rho, log_t);
  const positrons kind = kind_at(log_t);
  potentials p = start.known && start.kind == kind ? start : first_guess(gas, log_rho, log_t);
  if (newton(gas, at, p)) return p;
  return nested(gas, at, log_rho, rest_temperature(at.kelvin), kind);
}

}  // namespace rednova::eos
