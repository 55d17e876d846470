// A vortex in a triangle of velocity whose pressure balances it: it should turn for ever.
// Gresho & Chan 1990 (Int. J. Numer. Meth. Fluids 11, 621); compressible: Liska & Wendroff 2003 (SIAM JSC 25, 995).
#include <algorithm>
#include <cmath>

#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"

namespace rednova::problem {

namespace {

struct gresho_vortex_parameters {
  static constexpr const char* section = "problem";
  std::array<double, 3> centre{};
  std::array<double, 3> velocity{};
  double pressure = 5;

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("centre", centre, any_number(), "where the axis, which is along z, stands at time 0");
    v("velocity", velocity, any_number(), "drift of the vortex");
    v("pressure", pressure, positive(), "pressure on the axis; the gas, of density 1, turns with a speed of 1 at most");
  }
};

struct turning {
  double velocity, pressure;  ///< about the axis; above that on the axis
};

/// The triangle: 5 r to r = 0.2, 2 - 5 r to r = 0.4; the pressure is the integral of v²/r.
turning profile(double r) {
  constexpr double peak = 0.2, edge = 0.4;
  if (r < peak) return {5 * r, 12.5 * r * r};
  const double s = std::min(r, edge);
  return {r < edge ? 2 - 5 * r : 0, 4 + 12.5 * s * s - 20 * s + 4 * std::log(s / peak)};
}

}  // namespace

class gresho_vortex final : public problem {
 public:
  using parameters = gresho_vortex_parameters;

  gresho_vortex(const parameters& p, const config::parameters& par, const config::input&) : p_(p), mesh_(par.mesh) {}

  gas at(core::vec3d x) const override { return *exact(x, 0); }

  std::optional<gas> exact(core::vec3d x, double t) const override {
    const core::vec3d drift = to_vec(p_.velocity);
    const core::vec3d d = nearest_image(mesh_, x, to_vec(p_.centre) + t * drift);
    const double r = std::hypot(d.x, d.y);
    const turning now = profile(r);
    const double rate = r > 0 ? now.velocity / r : 0;
    gas g;
    g.density[0] = 1;
    g.velocity = drift + core::vec3d{-rate * d.y, rate * d.x, 0};
    g.pressure = p_.pressure + now.pressure;
    return g;
  }

 private:
  gresho_vortex_parameters p_;
  config::mesh mesh_;
};

template made make_problem<gresho_vortex>(config::input&, config::parameters&);

}  // namespace rednova::problem
