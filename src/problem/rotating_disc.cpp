// A disc of uniform density that turns like a solid body in gas at rest, its pressure in balance: a scheme that loses
// angular momentum slows it down.
#include <algorithm>
#include <cmath>

#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"

namespace rednova::problem {

namespace {

struct rotating_disc_parameters {
  static constexpr const char* section = "problem";
  double radius = 0.3, rim = 0.1;
  double density = 1, ambient_density = 1, pressure = 1;
  double spin = 2;
  std::array<double, 3> centre{};

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("radius", radius, positive(), "radius of the disc, whose axis is along z");
    v("rim", rim, positive(), "width of the ring around it in which the rotation falls to nothing, linearly");
    v("density", density, positive(), "density of the disc and its rim");
    v("ambient_density", ambient_density, positive(), "density of the gas around");
    v("pressure", pressure, positive(), "pressure on the axis");
    v("spin", spin, any_number(), "angular velocity of the disc");
    v("centre", centre, any_number(), "where the axis stands");
  }
};

}  // namespace

class rotating_disc final : public problem {
 public:
  using parameters = rotating_disc_parameters;

  rotating_disc(const parameters& p, const config::parameters& par, const config::input& in) : p_(p), mesh_(par.mesh) {
    expect_inside(in, par.mesh, p.centre, 2, "centre");
  }

  gas at(core::vec3d x) const override {
    const core::vec3d d = nearest_image(mesh_, x, to_vec(p_.centre));
    const double r = std::hypot(d.x, d.y), edge = p_.radius + p_.rim;
    const double rate = r < p_.radius ? p_.spin : r < edge ? speed_in_rim(r) / r : 0;
    gas g;
    g.density[0] = r < edge ? p_.density : p_.ambient_density;
    g.velocity = {-rate * d.y, rate * d.x, 0};
    g.pressure = p_.pressure + p_.density * centripetal(std::min(r, edge));
    return g;
  }

  std::optional<gas> exact(core::vec3d x, double) const override { return at(x); }

 private:
  double speed_in_rim(double r) const { return p_.spin * p_.radius * (p_.radius + p_.rim - r) / p_.rim; }

  /// Integral of v²/r from the axis to r <= radius + rim.
  double centripetal(double r) const {
    const double inner = std::min(r, p_.radius);
    const double solid = 0.5 * p_.spin * p_.spin * inner * inner;
    if (r <= p_.radius) return solid;
    // v = a (b - r)
    const double a = p_.spin * p_.radius / p_.rim, b = p_.radius + p_.rim;
    const auto integral = [b](double s) { return b * b * std::log(s) - 2 * b * s + 0.5 * s * s; };
    return solid + a * a * (integral(r) - integral(p_.radius));
  }

  rotating_disc_parameters p_;
  config::mesh mesh_;
};

template made make_problem<rotating_disc>(config::input&, config::parameters&);

}  // namespace rednova::problem
