// Shock tube (Sod 1978, JCP 27, 1) along any direction, single or repeated with a period.
#include <cmath>

#include "config/units.hpp"
#include "core/check.hpp"
#include "eos/stellar_table.hpp"
#include "problem/geometry.hpp"
#include "problem/make_problem.hpp"
#include "problem/riemann_exact.hpp"
#include "problem/riemann_of_gas.hpp"

namespace rednova::problem {

namespace {

struct sod_parameters {
  static constexpr const char* section = "problem";
  std::array<double, 3> normal{1, 0, 0};
  double position = 0;
  double period = 0;
  double left_density = 1, left_velocity = 0, left_pressure = 1;
  double right_density = 0.125, right_velocity = 0, right_pressure = 0.1;

  template <class V>
  void visit(V& v) {
    using namespace config;
    v("normal", normal, any_number(), "direction from the left to the right state, of any length");
    v("position", position, any_number(), "place of the diaphragm along the normal, from the origin");
    v("period", period, not_negative(),
      "0: one diaphragm; else left and right state change places every half period along the normal");
    v("left_density", left_density, positive(), "density of the left state");
    v("left_velocity", left_velocity, any_number(), "its velocity along the normal");
    v("left_pressure", left_pressure, positive(), "its pressure");
    v("right_density", right_density, positive(), "density of the right state");
    v("right_velocity", right_velocity, any_number(), "its velocity along the normal");
    v("right_pressure", right_pressure, positive(), "its pressure");
  }
};

std::unique_ptr<const riemann_solution> solution(const riemann_state& left, const riemann_state& right,
                                                 const config::parameters& par, const std::array<double, 2>& hydrogen) {
  if (par.eos.model == config::gas_model::ideal) return std::make_unique<riemann_exact>(left, right, par.hydro.gamma);
  const eos::gas gas(par);
  if (gas.tabulated()) {
    const auto expect = [&](const riemann_state& s, double x, const char* what) {
      const double e = gas.energy_of_pressure(s.density, s.pressure, x);
      eos::require_in_table(gas.star.table, config::units_of(par.units.system), s.density, e, what);
    };
    expect(left, hydrogen[0], "a state of the shock tube");
    expect(right, hydrogen[1], "a state of the shock tube");
  }
  return std::make_unique<riemann_of_gas>(left, right, gas, hydrogen);
}

}  // namespace

class sod final : public problem {
 public:
  using parameters = sod_parameters;

  sod(const parameters& p, const config::parameters& par, const config::input& in)
      : position_(p.position),
        period_(p.period),
        normal_(unit_vector(in, p.normal, "normal")),
        two_species_(par.hydro.species.size() > 1),
        left_{p.left_density, p.left_velocity, p.left_pressure},
        right_{p.right_density, p.right_velocity, p.right_pressure},
        falling_(solution(left_, right_, par, {par.eos.hydrogen.front(), par.eos.hydrogen.back()})),
        rising_(solution(right_, left_, par, {par.eos.hydrogen.back(), par.eos.hydrogen.front()})) {
    expect_fits(in, par.mesh, normal_, period_, "period");
  }

  gas at(core::vec3d x) const override {
    const double d = place(x);
    return d < 0 ? from(left_, side::left) : from(right_, side::right);
  }

  std::optional<gas> exact(core::vec3d x, double t) const override {
    if (t == 0) return at(x);
    double d = place(x);
    if (period_ == 0 || std::fabs(d) < period_ / 4) {
      if (period_ > 0 && t * std::fmax(falling_->rightmost(), -falling_->leftmost()) > period_ / 4) return std::nullopt;
      return from(falling_->at(d / t), d < t * falling_->contact_speed() ? side::left : side::right);
    }
    if (t * std::fmax(rising_->rightmost(), -rising_->leftmost()) > period_ / 4) return std::nullopt;
    d -= std::copysign(period_ / 2, d);
    return from(rising_->at(d / t), d < t * rising_->contact_speed() ? side::right : side::left);
  }

 private:
  enum class side { left, right };

  /// Distance from the nearest falling diaphragm, within half a period.
  double place(core::vec3d x) const {
    const double d = dot(normal_, x) - position_;
    return period_ > 0 ? d - period_ * std::round(d / period_) : d;
  }
  gas from(const riemann_state& s, side origin) const {
    gas g;
    g.density[two_species_ && origin == side::right ? 1 : 0] = s.density;
    g.velocity = s.velocity * normal_;
    g.pressure = s.pressure;
    return g;
  }

  double position_, period_;
  core::vec3d normal_;
  bool two_species_;
  riemann_state left_, right_;
  std::unique_ptr<const riemann_solution> falling_, rising_;
};

template made make_problem<sod>(config::input&, config::parameters&);

}  // namespace rednova::problem
