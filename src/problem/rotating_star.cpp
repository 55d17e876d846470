// A uniformly rotating polytrope: flattened, in equilibrium, the same for ever.
#include <cmath>

#include "core/check.hpp"
#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"
#include "problem/star.hpp"
#include "stellar/rotating_polytrope.hpp"

namespace rednova::problem {

namespace {

struct rotating_star_parameters {
  static constexpr const char* section = "problem";
  star_parameters model;
  double spin = 0.2;

  template <class V>
  void visit(V& v) {
    model.visit(v);
    v("spin", spin, config::between(-1.2, 1.2),
      "angular velocity about z in the inertial frame, in units of sqrt(mass/radius³); mesh.rotation, in code units, "
      "may follow it. Only a polytrope without a core, of index 0.5 or more, can turn; one that would shed its equator "
      "is refused");
  }
};

const star_parameters& expect_index(const config::input& in, const rotating_star_parameters& p) {
  if (p.spin != 0 && p.model.index < stellar::rotating_polytrope::least_index)
    core::fail(
        "{}: problem.index = {} is not possible for a star that turns: it must be >= {}; raise it, or set "
        "problem.spin = 0",
        in.place("problem", "index"), p.model.index, stellar::rotating_polytrope::least_index);
  return p.model;
}

}  // namespace

class rotating_star final : public problem {
 public:
  using parameters = rotating_star_parameters;

  rotating_star(const parameters& p, const config::parameters& par, const config::input& in)
      : star_(expect_index(in, p), p.spin * std::sqrt(p.model.mass / std::pow(p.model.radius, 3)), par, in) {}

  void expect_suits(const config::input& in, const config::parameters& par) const override {
    if (in.goes_on()) return;
    expect_star_inside(in, par.mesh, {}, star_.radius(), "radius");
  }

  std::optional<single_star_asked> single_star() const override {
    return single_star_asked{star_.gas_mass(), star_.radius()};
  }
  std::vector<step::point_mass> point_masses() const override { return star_.core({}, {}); }
  std::string description() const override { return star_.description(); }

  gas at(core::vec3d x) const override { return star_.at(x); }
  std::optional<gas> exact(core::vec3d x, double) const override { return star_.at(x); }
  bool refine(core::vec3d centre, double half, int) const override { return star_.hidden_in(centre, half); }

 private:
  star star_;
};

template made make_problem<rotating_star>(config::input&, config::parameters&);

}  // namespace rednova::problem
