// A vortex of uniform entropy that drifts without changing (Yee, Sandham & Djomehri 1999, JCP 150, 199).
#include <cmath>

#include "core/constants.hpp"
#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"

namespace rednova::problem {

namespace {

struct isentropic_vortex_parameters {
  static constexpr const char* section = "problem";
  double strength = 5;
  std::array<double, 3> centre{};
  std::array<double, 3> velocity{1, 1, 0};

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("strength", strength, not_negative(), "circulation parameter beta; the fastest gas turns at 0.16 beta");
    v("centre", centre, any_number(), "where the axis, which is along z, stands at time 0");
    v("velocity", velocity, any_number(), "drift of the vortex");
  }
};

}  // namespace

class isentropic_vortex final : public problem {
 public:
  using parameters = isentropic_vortex_parameters;

  isentropic_vortex(const parameters& p, const config::parameters& par, const config::input& in)
      : p_(p), mesh_(par.mesh), gamma_(par.hydro.gamma) {
    expect_ideal_gas(in, par);
  }

  gas at(core::vec3d x) const override { return *exact(x, 0); }

  std::optional<gas> exact(core::vec3d x, double t) const override {
    const core::vec3d drift = to_vec(p_.velocity);
    const core::vec3d r = nearest_image(mesh_, x, to_vec(p_.centre) + t * drift);
    const double turn = p_.strength / (2 * core::pi) * std::exp((1 - r.x * r.x - r.y * r.y) / 2);
    const double temperature = 1 - (gamma_ - 1) / (2 * gamma_) * turn * turn;
    gas g;
    g.density[0] = std::pow(temperature, 1 / (gamma_ - 1));
    g.velocity = drift + core::vec3d{-turn * r.y, turn * r.x, 0};
    g.pressure = g.density[0] * temperature;
    return g;
  }

 private:
  isentropic_vortex_parameters p_;
  config::mesh mesh_;
  double gamma_;
};

template made make_problem<isentropic_vortex>(config::input&, config::parameters&);

}  // namespace rednova::problem
