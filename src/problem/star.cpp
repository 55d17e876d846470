#include "problem/star.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.hpp"
#include "problem/layers.hpp"
#include "stellar/polytropic_star.hpp"
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

/// The same of layers of different compositions.
class layered_interior final : public star_interior {
 public:
  layered_interior(const std::shared_ptr<const stellar::profile_star>& star, const config::parameters& par,
                   const config::input& in)
      : inside_({star->gas, star->sphere}),
        species_(std::max<std::size_t>(par.hydro.species.size(), 2) - 1),
        layers_(star, all(species_), par, in) {}
  double theta(double axis_distance, double height) const override { return inside_.theta(axis_distance, height); }
  double density(double theta) const override { return inside_.density(theta); }
  double pressure(double theta) const override { return inside_.pressure(theta); }
  double theta_of_pressure(double pressure) const override { return inside_.theta_of_pressure(pressure); }
  double central_enthalpy() const override { return inside_.central_enthalpy(); }
  void fill(double density, gas& g) const override {
    layers_.shares_at(density, g.density.data());
    for (std::size_t k = 0; k < species_; ++k) g.density[k] *= density;
  }

 private:
  static std::vector<int> all(std::size_t species) {
    std::vector<int> numbers(species);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  barotropic_interior inside_;
  std::size_t species_;  // all but the atmosphere, which has one of its own unless there is but one
  layers layers_;
};

void expect_core(const star_parameters& p, const config::input& in) {
  const bool of_profile = p.structure == star_structure::profile;
  if (p.structure == star_structure::white_dwarf) {
    in.expect_absent("problem", "core_mass", "white dwarfs have no core of another kind");
    in.expect_absent("problem", "core_softening", "white dwarfs have no core of another kind");
  }
  if (of_profile) in.expect_absent("problem", "core_mass", "a profile's follows from problem.core_softening");
  if (!of_profile && (p.core_mass > 0) != (p.core_softening > 0))
    core::fail("{}: problem.core_mass and problem.core_softening make a core together: give both or none",
               in.place("problem", p.core_mass > 0 ? "core_mass" : "core_softening"));
  if (!of_profile && p.core_mass >= p.mass)
    core::fail("{}: problem.core_mass = {:g} must be less than the star's mass, {:g}", in.place("problem", "core_mass"),
               p.core_mass, p.mass);
  if (!of_profile && p.core_softening >= p.radius)
    core::fail("{}: problem.core_softening = {:g} must be less than the star's radius, {:g}",
               in.place("problem", "core_softening"), p.core_softening, p.radius);
  if (p.core_mass > 0 && p.structure == star_structure::polytrope && (p.index < 0.5 || p.index > 4))
    core::fail("{}: problem.index = {:g}: about a core it must be from 0.5 to 4", in.place("problem", "index"),
               p.index);
}

}  // namespace

star::star(const star_parameters& p, double omega, const config::parameters& par, const config::input& in)
    : omega_(omega), ambient_species_(par.hydro.species.size() - 1) {
  expect_gas(p.structure, in, par, "structure");
  expect_core(p, in);
  if (p.structure != star_structure::profile)
    in.expect_absent("problem", "profile", "it is that of structure = \"profile\"");
  if (omega != 0 && (p.structure != star_structure::polytrope || p.core_mass > 0))
    core::fail("{}: only polytropes without a core turn in this problem: set problem.spin = 0",
               in.place("problem", "spin"));
  if (in.goes_on()) {
    if (!p.profile.empty()) in.note_file(p.profile);
    return;
  }
  take_model(p, omega, par, in);
  const double central_density = inside_->density(1);
  isothermal_ = p.ambient_temperature * mass_ / radius_;
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

void star::take_model(const star_parameters& p, double omega, const config::parameters& par, const config::input& in) {
  mass_ = p.mass;
  radius_ = p.radius;
  if (p.core_mass > 0) core_ = {p.core_mass, p.core_softening};
  const auto take = [this](star_of_gas model) {
    radius_ = model.sphere.radius();
    inside_ = std::make_unique<barotropic_interior>(std::move(model));
  };
  switch (p.structure) {
    case star_structure::polytrope:
      if (p.core_mass == 0) {
        inside_ = std::make_unique<polytrope_interior>(p, omega);
      } else {
        auto model = stellar::polytropic_star_of(p.index, {p.mass, p.radius, core_}, "the star");
        take({std::move(model.gas), std::move(model.sphere)});
      }
      return;
    case star_structure::white_dwarf:
      in.expect_absent("problem", "index", "a white dwarf's follows from its mass");
      in.expect_absent("problem", "radius", "a white dwarf's follows from its mass");
      return take(cold_star(par, p.mass, "the white dwarf"));
    case star_structure::adiabat:
      in.expect_absent("problem", "index", "a star of one entropy has none");
      return take(convective_star(par, 0, {p.mass, p.radius, core_}, "the star"));
    case star_structure::profile:
      return take_profile(p, par, in);
  }
}

void star::take_profile(const star_parameters& p, const config::parameters& par, const config::input& in) {
  for (const char* key : {"mass", "radius", "index"}) in.expect_absent("problem", key, "the profile has it");
  if (p.profile.empty())
    core::fail("{}: problem.structure = \"profile\" needs the file's name: set problem.profile",
               in.place("problem", "structure"));
  const auto model = std::make_shared<const stellar::profile_star>(
      star_of_file(par, in.beside(p.profile), p.core_softening, "the star"));
  mass_ = model->sphere.mass();
  radius_ = model->sphere.radius();
  core_ = model->core;
  description_ = description_of(p.profile, *model);
  inside_ = std::make_unique<layered_interior>(model, par, in);
}

std::vector<step::point_mass> star::core(core::vec3d centre, core::vec3d velocity) const {
  if (core_.mass == 0) return {};
  return {{core_.mass, core_.softening, centre, core_.mass * velocity}};
}

gas star::at(core::vec3d x) const {
  const double theta = inside_->theta(std::hypot(x.x, x.y), x.z);
  gas g;
  g.velocity = {-omega_ * x.y, omega_ * x.x, 0};
  if (theta > surface_theta_) {
    inside_->fill(inside_->density(theta), g);
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
