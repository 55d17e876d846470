#include "problem/star.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "stellar/root.hpp"
#include "stellar/rotating_polytrope.hpp"

namespace rednova::problem {

namespace {

class polytrope_interior final : public star_interior {
 public:
  polytrope_interior(const star_parameters& p, double omega) : model_(p.index, p.mass, p.radius, omega) {}
  double theta(double axis_distance, double height) const override { return model_.theta(axis_distance, height); }
  double density(double theta) const override { return model_.central_density() * std::pow(theta, model_.index()); }
  double pressure(double theta) const override {
    return model_.central_pressure() * std::pow(theta, model_.index() + 1);
  }
  double theta_of_pressure(double pressure) const override {
    return std::pow(pressure / model_.central_pressure(), 1 / (model_.index() + 1));
  }
  double central_enthalpy() const override { return model_.central_enthalpy(); }

 private:
  stellar::rotating_polytrope model_;
};

/// A star at rest whose gas is a barotrope.
class barotropic_interior final : public star_interior {
 public:
  explicit barotropic_interior(star_of_gas of) : model_(std::move(of)) {}
  double theta(double axis_distance, double height) const override {
    return model_.sphere.enthalpy(std::hypot(axis_distance, height)) / central_enthalpy();
  }
  double density(double theta) const override { return model_.gas->density(theta * central_enthalpy()); }
  double pressure(double theta) const override { return model_.gas->pressure_of(density(theta)); }
  double theta_of_pressure(double pressure) const override {
    const auto excess = [&](double log_theta) { return std::log(this->pressure(std::exp(log_theta)) / pressure); };
    return std::exp(stellar::find_root(excess, -50, 0, 1e-15));
  }
  double central_enthalpy() const override { return model_.sphere.central_enthalpy(); }

 private:
  star_of_gas model_;
};

std::pair<double, std::unique_ptr<const star_interior>> radius_and_interior(const star_parameters& p, double omega,
                                                                            const config::parameters& par,
                                                                            const config::input& in) {
  expect_gas(p.structure, in, par, "structure");
  if (p.structure == star_structure::polytrope) return {p.radius, std::make_unique<polytrope_interior>(p, omega)};
  const auto expect_absent = [&](const char* key, const char* why) {
    if (in.gives("problem", key)) core::fail("{}: problem.{}: leave it out, {}", in.place("problem", key), key, why);
  };
  if (omega != 0)
    core::fail("{}: only polytropes turn in this problem: set problem.spin = 0", in.place("problem", "spin"));
  const bool cold = p.structure == star_structure::white_dwarf;
  expect_absent("index", cold ? "a white dwarf's follows from its mass" : "a star of one entropy has none");
  if (cold) expect_absent("radius", "a white dwarf's follows from its mass");
  star_of_gas model =
      cold ? cold_star(par, p.mass, "the white dwarf") : convective_star(par, 0, p.mass, p.radius, "the star");
  const double radius = model.sphere.radius();
  return {radius, std::make_unique<barotropic_interior>(std::move(model))};
}

}  // namespace

star::star(const star_parameters& p, double omega, const config::parameters& par, const config::input& in)
    : omega_(omega), ambient_species_(par.hydro.species.size() - 1) {
  std::tie(radius_, inside_) = radius_and_interior(p, omega, par, in);
  const double central_density = inside_->density(1);
  isothermal_ = p.ambient_temperature * p.mass / radius_;
  surface_pressure_ = p.ambient_density * central_density * isothermal_;
  if (surface_pressure_ >= inside_->pressure(1))
    core::fail(
        "the atmosphere's pressure at the star's surface, {:.3g}, would exceed that of the star's centre, {:.3g}: "
        "lower "
        "problem.ambient_density or problem.ambient_temperature",
        surface_pressure_, inside_->pressure(1));
  surface_theta_ = inside_->theta_of_pressure(surface_pressure_);
  const double inner = inside_->density(surface_theta_) / central_density;
  if (inner < 2 * p.ambient_density) {
    core::fail(
        "the atmosphere would be denser than the star's surface ({:.2g} of the central density): lower "
        "problem.ambient_density or raise problem.ambient_temperature",
        inner);
  }
}

gas star::at(core::vec3d x) const {
  const double theta = inside_->theta(std::hypot(x.x, x.y), x.z);
  gas g;
  g.velocity = {-omega_ * x.y, omega_ * x.x, 0};
  if (theta > surface_theta_) {
    g.density[0] = inside_->density(theta);
    g.pressure = inside_->pressure(theta);
  } else {
    g.pressure = surface_pressure_ * std::exp(inside_->central_enthalpy() * (theta - surface_theta_) / isothermal_);
    g.density[ambient_species_] = g.pressure / isothermal_;
  }
  return g;
}

bool star::hidden_in(core::vec3d centre, double half) const {
  const double reach = std::max({std::fabs(centre.x), std::fabs(centre.y), std::fabs(centre.z)});
  return 2 * half > radius_ && reach <= half;
}

}  // namespace rednova::problem
