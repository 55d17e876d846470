#include "problem/star.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace rednova::problem {

star::star(const star_parameters& p, double omega, const config::parameters& par)
    : model_(p.index, p.mass, p.radius, omega),
      radius_(p.radius),
      omega_(omega),
      ambient_species_(par.hydro.species.size() - 1),
      isothermal_(p.ambient_temperature * p.mass / p.radius),
      surface_pressure_(p.ambient_density * model_.central_density() * isothermal_),
      surface_theta_(std::pow(surface_pressure_ / model_.central_pressure(), 1 / (p.index + 1))) {
  const double inner = std::pow(surface_theta_, p.index);
  if (inner < 2 * p.ambient_density) {
    core::fail(
        "the atmosphere would be denser than the star's surface ({:.2g} of the central density): lower "
        "problem.ambient_density or raise problem.ambient_temperature",
        inner);
  }
}

gas star::at(core::vec3d x) const {
  const double theta = model_.theta(std::hypot(x.x, x.y), x.z);
  gas g;
  g.velocity = {-omega_ * x.y, omega_ * x.x, 0};
  if (theta > surface_theta_) {
    g.density[0] = model_.central_density() * std::pow(theta, model_.index());
    g.pressure = model_.central_pressure() * std::pow(theta, model_.index() + 1);
  } else {
    g.pressure = surface_pressure_ * std::exp(model_.central_enthalpy() * (theta - surface_theta_) / isothermal_);
    g.density[ambient_species_] = g.pressure / isothermal_;
  }
  return g;
}

bool star::hidden_in(core::vec3d centre, double half) const {
  const double reach = std::max({std::fabs(centre.x), std::fabs(centre.y), std::fabs(centre.z)});
  return 2 * half > radius_ && reach <= half;
}

}  // namespace rednova::problem
