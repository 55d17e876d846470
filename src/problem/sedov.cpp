// A point explosion in uniform gas (Sedov 1959). Its exact solution is in the Python package (rednova.exact.sedov).
#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"

namespace rednova::problem {

namespace {

struct sedov_parameters {
  static constexpr const char* section = "problem";
  double energy = 1;
  double radius = 0.02;
  std::array<double, 3> centre{};
  double density = 1;
  double pressure = 1e-5;

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("energy", energy, positive(), "energy of the explosion");
    v("radius", radius, positive(),
      "width of the Gaussian exp(-r²/radius²) that holds the energy at time 0; at least a cell of the finest level, or "
      "the mesh misses a part of the energy");
    v("centre", centre, any_number(), "place of the explosion");
    v("density", density, positive(), "density of the gas");
    v("pressure", pressure, positive(), "pressure of the undisturbed gas");
  }
};

}  // namespace

class sedov final : public problem {
 public:
  using parameters = sedov_parameters;

  sedov(const parameters& p, const config::parameters& par, config::input& in) : p_(p), gamma_(par.hydro.gamma) {
    expect_inside(in, par.mesh, p.centre, 3, "centre");
    if (const std::string words = too_narrow(in, par.mesh, 1); !words.empty()) in.warn(words);
  }

  void expect_suits(const config::input& in, const config::parameters& par) const override {
    if (const std::string words = too_narrow(in, par.mesh, 0.5); !words.empty()) throw core::user_error(words);
  }

  gas at(core::vec3d x) const override {
    const core::vec3d r = x - to_vec(p_.centre);
    const double width = p_.radius * std::sqrt(core::pi);
    gas g;
    g.density[0] = p_.density;
    g.pressure = p_.pressure +
                 (gamma_ - 1) * p_.energy / (width * width * width) * std::exp(-dot(r, r) / (p_.radius * p_.radius));
    return g;
  }

  /// The explosion itself is resolved by the finest level.
  bool refine(core::vec3d centre, double half, int) const override {
    const core::vec3d r = centre - to_vec(p_.centre);
    for (int d = 0; d < 3; ++d) {
      if (std::fabs(r[d]) > half + 3 * p_.radius) return false;
    }
    return true;
  }

 private:
  /// Cells that sample a Gaussian so narrow miss a part of its energy: at one cell nothing yet, at a half some percent.
  std::string too_narrow(const config::input& in, const config::mesh& m, double cells) const {
    const double cell = std::ldexp(m.base_width, -m.max_level) / mesh::N;
    if (p_.radius >= cells * cell) return "";
    return fmt::format(
        "{}: problem.radius = {:g} is less than a cell of the finest level, {:.3g}: the mesh does not hold the energy "
        "that was asked for; raise mesh.max_level, or the radius to 3 cells",
        in.place("problem", "radius"), p_.radius, cell);
  }

  sedov_parameters p_;
  double gamma_;
};

template made make_problem<sedov>(config::input&, config::parameters&);

}  // namespace rednova::problem
