// A sphere of constant density: its potential and its field are known. As gas it is in equilibrium but convectively
// unstable (its entropy falls outwards), so this is a test of gravity, not of rest.
#include <cmath>

#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"
#include "problem/star.hpp"

namespace rednova::problem {

namespace {

struct uniform_sphere_parameters {
  static constexpr const char* section = "problem";
  double mass = 1, radius = 1;
  double ambient_density = 1e-8;

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("mass", mass, positive(), "mass of the sphere");
    v("radius", radius, positive(), "its radius");
    v("ambient_density", ambient_density, bounds{0, 0.1, true}, "density around it, as a share of its own");
  }
};

}  // namespace

class uniform_sphere final : public problem {
 public:
  using parameters = uniform_sphere_parameters;

  uniform_sphere(const parameters& p, const config::parameters& par, const config::input& in)
      : star_({.mass = p.mass, .radius = p.radius, .index = 0, .ambient_density = p.ambient_density}, 0, par, in),
        mass_(p.mass),
        radius_(p.radius) {}

  void expect_suits(const config::input& in, const config::parameters& par) const override {
    expect_star_inside(in, par.mesh, {}, radius_, "radius");
  }

  std::optional<single_star_asked> single_star() const override { return single_star_asked{mass_, radius_, {}}; }

  gas at(core::vec3d x) const override { return star_.at(x); }
  bool refine(core::vec3d centre, double half, int) const override { return star_.hidden_in(centre, half); }
  /// The surface cuts through cells whose mass must not depend on where the sampling points happen to lie.
  int subcells(core::vec3d centre, double width) const override {
    const bool cut = std::fabs(std::sqrt(dot(centre, centre)) - radius_) < std::sqrt(3.0) / 2 * width;
    return cut ? 12 : 1;  // the potential of 16 cells to the radius is then right to 1e-6; with 8 to 1e-5
  }

 private:
  star star_;
  double mass_, radius_;
};

template made make_problem<uniform_sphere>(config::input&, config::parameters&);

}  // namespace rednova::problem
