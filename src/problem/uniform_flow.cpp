// Gas of the same density, pressure and (inertial) velocity everywhere: what no scheme may disturb.
#include "problem/geometry.hpp"
#include "problem/problems.hpp"

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

class uniform_flow final : public problem {
 public:
  uniform_flow(const uniform_flow_parameters& p, const config::parameters& par) : p_(p), rotation_(par.mesh.rotation) {}

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

}  // namespace

made make_uniform_flow(config::input& in, config::parameters& par) {
  uniform_flow_parameters p;
  in.read(p);
  return std::make_unique<uniform_flow>(p, par);
}

}  // namespace rednova::problem
