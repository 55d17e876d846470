// Gas of the same density, pressure and (inertial) velocity everywhere: what no scheme may disturb.
#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"

namespace rednova::problem {

namespace {

struct uniform_flow_parameters {
  static constexpr const char* section = "problem";
  double density = 1, pressure = 1;
  std::array<double, 3> velocity{};

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("density", density, positive(), "density");
    v("pressure", pressure, positive(), "pressure");
    v("velocity", velocity, any_number(), "velocity in the inertial frame, along the grid's axes at time 0");
  }
};

}  // namespace

class uniform_flow final : public problem {
 public:
  using parameters = uniform_flow_parameters;

  uniform_flow(const parameters& p, const config::parameters& par, const config::input&)
      : p_(p), rotation_(par.mesh.rotation) {}

  gas at(core::vec3d x) const override { return *exact(x, 0); }

  std::optional<gas> exact(core::vec3d, double t) const override {
    gas g;
    g.density[0] = p_.density;
    g.pressure = p_.pressure;
    g.velocity = turned(to_vec(p_.velocity), -rotation_ * t);
    return g;
  }

 private:
  uniform_flow_parameters p_;
  double rotation_;
};

template made make_problem<uniform_flow>(config::input&, config::parameters&);

}  // namespace rednova::problem
