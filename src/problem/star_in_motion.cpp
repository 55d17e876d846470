// A star in equilibrium, at rest or crossing the grid: after any time it should be where it is going, unchanged.
#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"
#include "problem/star.hpp"

namespace rednova::problem {

namespace {

struct resting_parameters {
  static constexpr const char* section = "problem";
  star_parameters model;
  std::array<double, 3> centre{};

  template <class V>
  void visit(V& v) {
    model.visit(v);
    v("centre", centre, config::any_number(), "where the star's centre is at time 0");
  }
};

struct moving_parameters {
  static constexpr const char* section = "problem";
  resting_parameters star;
  std::array<double, 3> velocity{0.1, 0.05, 0};

  template <class V>
  void visit(V& v) {
    star.visit(v);
    v("velocity", velocity, config::any_number(), "velocity of the star and its atmosphere in the inertial frame");
  }
};

class one_star : public problem {
 public:
  one_star(const resting_parameters& p, core::vec3d velocity, const config::parameters& par, const config::input& in)
      : star_(p.model, 0, par, in), centre_(to_vec(p.centre)), velocity_(velocity), rotation_(par.mesh.rotation) {}

  void expect_suits(const config::input& in, const config::parameters& par) const override {
    if (in.goes_on()) return;
    const bool moved = in.gives("problem", "centre") || in.gives("problem", "structure");
    expect_star_inside(in, par.mesh, centre_, star_.radius(), moved ? "centre" : "radius");
  }

  std::optional<single_star_asked> single_star() const override {
    return single_star_asked{star_.gas_mass(), star_.radius(), centre_};
  }

  std::vector<step::point_mass> point_masses() const override { return star_.core(centre_, velocity_); }
  std::string description() const override { return star_.description(); }

  gas at(core::vec3d x) const override { return *exact(x, 0); }

  /// The star goes straight on in the inertial frame, whose axes those of the grid have left behind.
  std::optional<gas> exact(core::vec3d x, double t) const override {
    gas g = star_.at(turned(x, rotation_ * t) - centre_ - t * velocity_);
    g.velocity = turned(velocity_, -rotation_ * t);
    return g;
  }
  bool refine(core::vec3d centre, double half, int) const override { return star_.hidden_in(centre - centre_, half); }

 private:
  star star_;
  core::vec3d centre_, velocity_;
  double rotation_;
};

}  // namespace

class star_at_rest final : public one_star {
 public:
  using parameters = resting_parameters;

  star_at_rest(const parameters& p, const config::parameters& par, const config::input& in)
      : one_star(p, {}, par, in) {}
};

class star_in_motion final : public one_star {
 public:
  using parameters = moving_parameters;

  star_in_motion(const parameters& p, const config::parameters& par, const config::input& in)
      : one_star(p.star, to_vec(p.velocity), par, in) {}
};

template made make_problem<star_at_rest>(config::input&, config::parameters&);
template made make_problem<star_in_motion>(config::input&, config::parameters&);

}  // namespace rednova::problem
