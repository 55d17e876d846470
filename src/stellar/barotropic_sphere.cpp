#include "stellar/barotropic_sphere.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "gravity/softened_point.hpp"
#include "stellar/root.hpp"

namespace rednova::stellar {

namespace {

constexpr int steps = 2000, in_first = 8;

/// The first node beyond r, from the second to the last: with the one before it, what r lies between.
template <class Points>
auto node_beyond(const Points& nodes, double r) {
  return std::upper_bound(nodes.begin() + 1, nodes.end() - 1, r, [](double at, const auto& p) { return at < p.r; });
}

}  // namespace

/// The steps are equal in u, H = H_c (1 - u²)²: so r is linear in u at the centre, and the last step ends at the
/// surface, before which they become short: there the enthalpy of a star with a core is a small part of its centre's.
barotropic_sphere::barotropic_sphere(const barotrope& gas, double central_enthalpy, const point_core& core) {
  EXPECT(central_enthalpy > 0 && core.mass >= 0 && core.softening > 0);
  const double h = central_enthalpy;
  const auto core_within = [&](double r) { return core.mass * gravity::softened_mass_within(r / core.softening); };
  const auto enthalpy_at = [h](double u) { return h * (1 - u * u) * (1 - u * u); };
  struct change {
    double r, mass;  // of the gas
  };
  const auto slope = [&](double u, double r, double mass) -> change {
    const double by_enthalpy = 4 * h * u * (1 - u * u) * r * r / (mass + core_within(r));  // dr/du = -dH/du / (m / r²)
    return {by_enthalpy, 4 * core::pi * r * r * gas.density(enthalpy_at(u)) * by_enthalpy};
  };
  nodes_.reserve(steps + 2 - in_first);
  nodes_.push_back({0, 0, h});
  const double du = 1.0 / steps, centre = gas.density(h);
  // The first steps at once, by a sphere whose density falls a little: H_c - H = (2 pi / 3) rho r². What Runge-Kutta
  // steps from nearer to the centre would miss, where u/r matters, stays in r². The spline's density at its centre is
  // 8 m / (pi h³).
  const double first = in_first * du, fall = 1 - gas.density(enthalpy_at(first)) / centre;
  const double core_centre = 8 / core::pi * core.mass / (core.softening * core.softening * core.softening);
  const double attracting = (1 - 0.3 * fall) * centre + core_centre;
  double r = std::sqrt(3 * (h - enthalpy_at(first)) / (2 * core::pi * attracting));
  double mass = 4 * core::pi / 3 * (1 - 0.6 * fall) * centre * r * r * r;
  nodes_.push_back({r, mass + core_within(r), enthalpy_at(first)});
  for (int n = in_first; n < steps; ++n) {
    const double u = n * du;
    const change a = slope(u, r, mass), b = slope(u + du / 2, r + du / 2 * a.r, mass + du / 2 * a.mass),
                 c = slope(u + du / 2, r + du / 2 * b.r, mass + du / 2 * b.mass),
                 d = slope(n + 1 == steps ? 1 : u + du, r + du * c.r, mass + du * c.mass);
    r += du / 6 * (a.r + 2 * b.r + 2 * c.r + d.r);
    mass += du / 6 * (a.mass + 2 * b.mass + 2 * c.mass + d.mass);
    nodes_.push_back({r, mass + core_within(r), n + 1 == steps ? 0.0 : enthalpy_at(u + du)});
  }
}

double barotropic_sphere::enthalpy(double r) const {
  if (r >= radius()) return mass() / r - mass() / radius();
  const auto next = node_beyond(nodes_, r);
  const point &a = *(next - 1), &b = *next;
  const double width = b.r - a.r, t = (r - a.r) / width;
  const auto slope = [](const point& p) { return p.r > 0 ? -p.mass / (p.r * p.r) : 0.0; };
  const double sa = width * slope(a), sb = width * slope(b), rise = b.enthalpy - a.enthalpy;
  return a.enthalpy + t * (sa + t * (3 * rise - 2 * sa - sb + t * (sa + sb - 2 * rise)));
}

double barotropic_sphere::mass_within(double r) const {
  if (r >= radius()) return mass();
  const auto next = node_beyond(nodes_, r);
  const point &a = *(next - 1), &b = *next;
  return a.mass + (r - a.r) / (b.r - a.r) * (b.mass - a.mass);
}

double barotropic_sphere::radius_of(double h) const {
  EXPECT(h >= 0);
  if (h >= central_enthalpy()) return 0;
  const auto below = std::find_if(nodes_.begin(), nodes_.end(), [h](const point& p) { return p.enthalpy <= h; });
  return find_root([&](double r) { return enthalpy(r) - h; }, (below - 1)->r, below->r, 1e-14 * radius());
}

density_range central_densities(const star_asked& asked) {
  const double volume = 4 * core::pi / 3 * asked.radius * asked.radius * asked.radius;
  const double mean = (asked.mass - asked.core.mass) / volume;
  return {0.1 * mean, (asked.core.mass > 0 ? 1e8 : 1e4) * mean};
}

barotropic_sphere sphere_of_mass(const barotrope& gas, double mass, double least_density, double largest_density,
                                 const char* what, const point_core& core) {
  EXPECT(mass > 0 && 0 < least_density && least_density < largest_density);
  const auto star = [&](double log_enthalpy) { return barotropic_sphere(gas, std::exp(log_enthalpy), core); };
  const double a = std::log(gas.enthalpy(least_density)), b = std::log(gas.enthalpy(largest_density));
  const auto excess = [&](double log_enthalpy) { return star(log_enthalpy).mass() / mass - 1; };
  const double lightest = mass * (excess(a) + 1), heaviest = mass * (excess(b) + 1);
  if (mass > heaviest)
    core::fail("{} has a mass of {:.6g}, but no star of its gas at rest is heavier than {:.6g}", what, mass, heaviest);
  if (mass < lightest)
    core::fail("{} has a mass of {:.6g}, but its gas makes stars from {:.3g} on", what, mass, lightest);
  return star(find_root(excess, a, b, 1e-14, 1e-13));
}

}  // namespace rednova::stellar
