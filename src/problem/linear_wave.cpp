// A plane wave of small amplitude: sound, entropy or shear (after Stone et al. 2008, ApJS 178, 137, sec. 8.1).
#include <cmath>

#include "core/constants.hpp"
#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"

namespace rednova::problem {

enum class wave_family { sound, entropy, shear };

}  // namespace rednova::problem

template <>
struct rednova::config::enum_names<rednova::problem::wave_family> {
  static constexpr std::array value{"sound", "entropy", "shear"};
};

namespace rednova::problem {

namespace {

struct linear_wave_parameters {
  static constexpr const char* section = "problem";
  wave_family family = wave_family::sound;
  double amplitude = 1e-6;
  std::array<double, 3> normal{1, 0, 0};
  double wavelength = 1;
  double density = 1, velocity = 0, pressure = 0.6;

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("family", family, any_number(), "which wave: sound, entropy or shear");
    v("amplitude", amplitude, not_negative(),
      "relative change of density; for shear, of velocity in units of the sound speed");
    v("normal", normal, any_number(), "direction in which the wave runs, of any length");
    v("wavelength", wavelength, positive(), "distance between crests along the normal");
    v("density", density, positive(), "density of the background");
    v("velocity", velocity, any_number(), "velocity of the background along the normal");
    v("pressure", pressure, positive(), "pressure of the background");
  }
};

}  // namespace

class linear_wave final : public problem {
 public:
  using parameters = linear_wave_parameters;

  linear_wave(const parameters& p, const config::parameters& par, const config::input& in)
      : p_(p),
        normal_(unit_vector(in, p.normal, "normal")),
        gamma1_(eos::gas(par).gamma1(p.density, p.pressure, par.eos.hydrogen.front())),
        sound_speed_(std::sqrt(gamma1_ * p.pressure / p.density)) {
    expect_fits(in, par.mesh, normal_, p.wavelength, "wavelength");
    // Any direction across: away from the axis that the normal is closest to.
    const core::vec3d far = std::fabs(normal_.x) < 0.9 ? core::vec3d{1, 0, 0} : core::vec3d{0, 1, 0};
    const core::vec3d across = far - dot(far, normal_) * normal_;
    transverse_ = (1 / std::sqrt(dot(across, across))) * across;
  }

  gas at(core::vec3d x) const override { return *exact(x, 0); }

  /// Exact to first order in the amplitude (entropy and shear: to all orders).
  std::optional<gas> exact(core::vec3d x, double t) const override {
    const double speed = p_.velocity + (p_.family == wave_family::sound ? sound_speed_ : 0);
    const double change = p_.amplitude * std::sin(2 * core::pi / p_.wavelength * (dot(normal_, x) - speed * t));
    gas g;
    g.density[0] = p_.density * (p_.family == wave_family::shear ? 1 : 1 + change);
    g.velocity = p_.velocity * normal_;
    g.pressure = p_.pressure;
    if (p_.family == wave_family::sound) {
      g.velocity += change * sound_speed_ * normal_;
      g.pressure *= 1 + gamma1_ * change;
    } else if (p_.family == wave_family::shear) {
      g.velocity += change * sound_speed_ * transverse_;
    }
    return g;
  }

 private:
  linear_wave_parameters p_;
  core::vec3d normal_, transverse_;
  double gamma1_, sound_speed_;
};

template made make_problem<linear_wave>(config::input&, config::parameters&);

}  // namespace rednova::problem
