// Two spheres in place of a binary's stars: enough to see how many blocks there will be, and how long the steps.
#include <cmath>
#include <utility>

#include "problem/atmosphere.hpp"
#include "problem/binary.hpp"
#include "stellar/lane_emden.hpp"
#include "stellar/roche.hpp"

namespace rednova::problem {

namespace {

/// A star as a sphere.
struct ball {
  core::vec3d centre;
  double mass = 0, radius = 0, core_radius = 0;
  std::function<std::pair<double, double>(double)> gas;  // density and pressure at a distance from the centre

  double distance(core::vec3d x) const { return std::hypot(x.x - centre.x, x.y - centre.y, x.z - centre.z); }
  /// Without the centre's singularity; what lies within a star has no atmosphere.
  double potential(core::vec3d x) const { return -mass / std::max(distance(x), 0.5 * radius); }
};

ball polytropic_ball(core::vec3d centre, double mass, double radius, const stellar::composition& c) {
  const auto star = std::make_shared<const stellar::polytrope>(c.envelope_index, mass, radius);
  double inner = 0, outer = c.has_core() ? radius : 0;
  for (int halving = 0; c.has_core() && halving < 40; ++halving) {
    const double middle = (inner + outer) / 2;
    (star->mass_within(middle) < c.core_fraction * mass ? inner : outer) = middle;
  }
  return {centre, mass, radius, outer, [star](double r) { return std::pair(star->density(r), star->pressure(r)); }};
}

ball ball_of_gas(core::vec3d centre, double mass, const star_of_gas& star) {
  return {centre, mass, star.sphere.radius(), 0, [star](double r) {
            const double enthalpy = star.sphere.enthalpy(r);
            const double rho = enthalpy > 0 ? star.gas->density(enthalpy) : 0.0;
            return std::pair(rho, rho > 0 ? star.gas->pressure_of(rho) : 0.0);
          }};
}

/// The two stars of a request at this separation. Beyond L1, where they share a surface, they are a little larger than
/// their lobes.
std::array<ball, 2> balls(const binary_parameters& p, const stellar::binary_request& r, double separation,
                          const config::parameters& par) {
  const std::array structure{p.accretor_structure, p.donor_structure};
  const double total = r.mass[0] + r.mass[1];
  std::array<ball, 2> stars;
  for (std::size_t s = 0; s < 2; ++s) {
    const double other = r.mass[1 - s];
    const core::vec3d centre{(s == 0 ? -separation : separation) * other / total, 0, 0};
    if (structure[s] != star_structure::polytrope) {
      stars[s] = ball_of_gas(centre, r.mass[s], star_alone(p, par, s));
      continue;
    }
    const double filling = r.context == stellar::surface::separate ? r.filling[s] : 1 + 0.15 * r.fillout;
    const double radius = filling * separation * stellar::asynchronous_lobe(r.mass[s] / other, r.spin[s]);
    stars[s] = polytropic_ball(centre, r.mass[s], radius, r.made_of[s]);
  }
  return stars;
}

}  // namespace

sketch binary::sketched(const config::parameters& par) const {
  const stellar::binary_request request = request_of(p_, par);
  const double separation = figure_of(request, par).separation();
  const std::array<ball, 2> stars = balls(p_, request, separation, par);
  const double mass = request.mass[0] + request.mass[1];
  const double omega = std::sqrt(mass / (separation * separation * separation));
  const double wall = std::fabs(stellar::roche_model(request.mass[0], request.mass[1], separation).l2());
  const double highest = std::max(stars[0].gas(0).first, stars[1].gas(0).first);
  const atmosphere air{omega * omega, wall, p_.atmosphere_density * highest, mass / separation, p_.atmosphere_index};
  const std::array<int, 5> species = species_of(par);
  const double floor = par.hydro.density_floor;
  const auto at = [=](core::vec3d x) {
    const double axis_distance = std::hypot(x.x, x.y);
    const double enthalpy = air.enthalpy(stars[0].potential(x) + stars[1].potential(x), axis_distance);
    double rho = std::max(air.density_at(enthalpy), floor);
    gas g;
    g.pressure = rho * enthalpy / (air.index + 1);
    int part = 4;
    core::vec3d arm = x;
    for (std::size_t s = 0; s < 2; ++s) {
      const double r = stars[s].distance(x);
      if (r >= stars[s].radius) continue;
      const auto [of_star, pressure] = stars[s].gas(r);
      if (of_star <= rho || pressure <= g.pressure) continue;
      rho = of_star;
      g.pressure = pressure;
      part = static_cast<int>(2 * s) + (r < stars[s].core_radius ? 0 : 1);
      arm = lever_arm(x, stars[s].centre.x, request.spin[s]);
    }
    g.density[static_cast<std::size_t>(species[static_cast<std::size_t>(part)])] = rho;
    const double turning = part < 4 || axis_distance < wall ? omega : 0.0;
    g.velocity = {-turning * arm.y, turning * arm.x, 0};
    return g;
  };
  return {at,
          omega,
          omega,
          true,
          {{"the accretor", stars[0].centre, stars[0].radius}, {"the donor", stars[1].centre, stars[1].radius}},
          {}};
}

}  // namespace rednova::problem
