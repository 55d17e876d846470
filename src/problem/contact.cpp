// A ball of other density drifts with the gas around it, at the same pressure: a contact discontinuity in all
// directions.
#include <cmath>

#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"

namespace rednova::problem {

namespace {

struct contact_parameters {
  static constexpr const char* section = "problem";
  std::array<double, 3> centre{};
  std::array<double, 3> velocity{1, 0, 0};
  double radius = 0.2;
  double density = 10, ambient_density = 1, pressure = 1;

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("centre", centre, any_number(), "centre of the ball at time 0");
    v("velocity", velocity, any_number(), "velocity of all gas");
    v("radius", radius, positive(), "radius of the ball");
    v("density", density, positive(), "density of the ball");
    v("ambient_density", ambient_density, positive(), "density of the gas around");
    v("pressure", pressure, positive(), "pressure everywhere");
  }
};

}  // namespace

class contact final : public problem {
 public:
  using parameters = contact_parameters;

  contact(const parameters& p, const config::parameters& par, const config::input&)
      : p_(p), mesh_(par.mesh), outside_(par.hydro.species.size() - 1) {}

  gas at(core::vec3d x) const override { return *exact(x, 0); }

  std::optional<gas> exact(core::vec3d x, double t) const override {
    const core::vec3d d = nearest_image(mesh_, x, to_vec(p_.centre) + t * to_vec(p_.velocity));
    const bool inside = dot(d, d) < p_.radius * p_.radius;
    gas g;
    g.density[inside ? 0 : outside_] = inside ? p_.density : p_.ambient_density;
    g.velocity = to_vec(p_.velocity);
    g.pressure = p_.pressure;
    return g;
  }

  /// The surface cuts cells: their shares of the ball are wanted.
  int subcells(core::vec3d, double) const override { return 3; }

 private:
  contact_parameters p_;
  config::mesh mesh_;
  std::size_t outside_;  ///< species of the gas around
};

template made make_problem<contact>(config::input&, config::parameters&);

}  // namespace rednova::problem
