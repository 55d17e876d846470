// A giant and a companion that is a point mass, on a circular orbit about each other: what comes before a common
// envelope.
#include <cmath>

#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"
#include "problem/star.hpp"

namespace rednova::problem {

namespace {

struct common_envelope_parameters {
  static constexpr const char* section = "problem";
  star_parameters model;
  double companion_mass = 0.5, companion_softening = 0.1, separation = 1.5;

  template <class V>
  void visit(V& v) {
    model.visit(v);
    v("companion_mass", companion_mass, config::positive(), "mass of the companion, a point mass");
    v("companion_softening", companion_softening, config::positive(),
      "radius of the sphere that the companion's mass fills (point_masses.softening)");
    v("separation", separation, config::positive(),
      "distance of the companion from the giant's centre at the start; both move as two points on a circular orbit "
      "would");
  }
};

}  // namespace

/// The giant and its atmosphere do not rotate at the start, and are in equilibrium but for the companion's pull. The
/// centre of mass is at rest at the origin; the giant lies at x < 0, the companion at x > 0, and they move
/// counter-clockwise.
class common_envelope final : public problem {
 public:
  using parameters = common_envelope_parameters;

  common_envelope(const parameters& p, const config::parameters& par, const config::input& in)
      : star_(p.model, 0, par, in) {
    const double all = star_.mass() + p.companion_mass, speed = std::sqrt(all / p.separation);
    const double of_companion = star_.mass() / all, of_giant = -p.companion_mass / all;
    centre_ = {of_giant * p.separation, 0, 0};
    velocity_ = {0, of_giant * speed, 0};
    companion_ = {.mass = p.companion_mass,
                  .softening = p.companion_softening,
                  .position = {of_companion * p.separation, 0, 0},
                  .momentum = {0, p.companion_mass * of_companion * speed, 0}};
  }

  void expect_suits(const config::input& in, const config::parameters& par) const override {
    if (in.goes_on()) return;
    expect_star_inside(in, par.mesh, centre_, star_.radius(), "separation");
    expect_inside(in, par.mesh, {companion_.position.x, 0, 0}, 3, "separation");
  }

  std::optional<single_star_asked> single_star() const override {
    return single_star_asked{star_.gas_mass(), star_.radius(), centre_};
  }
  std::vector<step::point_mass> point_masses() const override {
    std::vector<step::point_mass> all = star_.core(centre_, velocity_);
    all.push_back(companion_);
    return all;
  }

  std::string description() const override { return star_.description(); }

  gas at(core::vec3d x) const override {
    gas g = star_.at(x - centre_);
    g.velocity = velocity_;
    return g;
  }
  bool refine(core::vec3d centre, double half, int) const override { return star_.hidden_in(centre - centre_, half); }

 private:
  star star_;
  core::vec3d centre_, velocity_;  // of the giant
  step::point_mass companion_;
};

template made make_problem<common_envelope>(config::input&, config::parameters&);

}  // namespace rednova::problem
