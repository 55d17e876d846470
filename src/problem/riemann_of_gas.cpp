#include "problem/riemann_of_gas.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "stellar/root.hpp"

namespace rednova::problem {

namespace {

constexpr int fan_steps = 1000;
constexpr double least_pressure = 1e-12;  // of the smaller one outside: below is a vacuum

/// The gas on one side.
struct side_gas {
  const eos::gas& gas;
  double hydrogen;

  double energy_of_pressure(double rho, double p) const { return gas.energy_of_pressure(rho, p, hydrogen); }
  double gamma1(double rho, double p) const { return gas.gamma1(rho, p, hydrogen); }
};

double sound_speed(const side_gas& gas, const riemann_state& s) {
  return std::sqrt(gas.gamma1(s.density, s.pressure) * s.pressure / s.density);
}

/// The state behind a shock that runs to the right into s, and its speed.
std::pair<riemann_state, double> behind_shock(const side_gas& gas, const riemann_state& s, double p) {
  const double volume = 1 / s.density, energy = gas.energy_of_pressure(s.density, s.pressure) * volume;
  const auto excess = [&](double rho) {
    return gas.energy_of_pressure(rho, p) / rho - energy - 0.5 * (p + s.pressure) * (volume - 1 / rho);
  };
  double most = s.density;
  for (int n = 0; n < 1000 && excess(most) > 0; ++n) most *= 1.05;
  ENSURE(excess(most) <= 0);
  const double rho = stellar::find_root(excess, s.density, most, 1e-15 * s.density);
  const double flux = std::sqrt((p - s.pressure) / (volume - 1 / rho));
  return {{rho, s.velocity + (p - s.pressure) / flux, p}, s.velocity + flux * volume};
}

/// Calls note(state) along a fan that runs to the right from s to pressure p, ends included.
template <class Note>
void along_fan(const side_gas& gas, const riemann_state& s, double p, const Note& note) {
  const double step = std::log(p / s.pressure) / fan_steps;
  riemann_state at = s;
  struct change {
    double density, velocity;
  };
  const auto slope = [&](double log_p, double rho) -> change {
    const double pressure = std::exp(log_p), c = sound_speed(gas, {rho, 0, pressure});
    return {pressure / (c * c), pressure / (rho * c)};
  };
  note(at);
  for (int n = 0; n < fan_steps; ++n) {
    const double q = std::log(s.pressure) + n * step;
    const change a = slope(q, at.density), b = slope(q + step / 2, at.density + step / 2 * a.density),
                 c = slope(q + step / 2, at.density + step / 2 * b.density),
                 d = slope(q + step, at.density + step * c.density);
    at.density += step / 6 * (a.density + 2 * b.density + 2 * c.density + d.density);
    at.velocity += step / 6 * (a.velocity + 2 * b.velocity + 2 * c.velocity + d.velocity);
    at.pressure = n + 1 == fan_steps ? p : std::exp(q + step);
    note(at);
  }
}

/// Velocity behind the wave that leads from s, on the right, to a pressure.
double velocity_behind(const side_gas& gas, const riemann_state& s, double p) {
  if (p > s.pressure) return behind_shock(gas, s, p).first.velocity;
  double velocity = s.velocity;
  along_fan(gas, s, p, [&](const riemann_state& at) { velocity = at.velocity; });
  return velocity;
}

}  // namespace

riemann_of_gas::riemann_of_gas(const riemann_state& left, const riemann_state& right, const eos::gas& gas,
                               const std::array<double, 2>& hydrogen)
    : outer_{mirrored(left), right} {
  const std::array sides{side_gas{gas, hydrogen[0]}, side_gas{gas, hydrogen[1]}};
  // Seen from the middle both sides are right sides, which must part with opposite velocities.
  const auto parting = [&](double log_p) {
    const double p = std::exp(log_p);
    return velocity_behind(sides[0], outer_[0], p) + velocity_behind(sides[1], outer_[1], p);
  };
  const double lower = std::log(least_pressure * std::min(left.pressure, right.pressure));
  double upper = std::log(std::max(left.pressure, right.pressure)) + 0.1;
  while (parting(upper) < 0) upper += 1;
  if (parting(lower) > 0) core::fail("the two states of the shock tube part so fast that they leave a vacuum");
  pressure_ = std::exp(stellar::find_root(parting, lower, upper, 1e-15));
  for (std::size_t side = 0; side < 2; ++side) {
    std::vector<ray>& rays = sides_[side];
    if (pressure_ > outer_[side].pressure) {
      const auto [state, speed] = behind_shock(sides[side], outer_[side], pressure_);
      rays = {{speed, outer_[side]}, {speed, state}};
    } else {
      along_fan(sides[side], outer_[side], pressure_, [&](const riemann_state& s) {
        rays.push_back({s.velocity + sound_speed(sides[side], s), s});
      });
    }
  }
  speed_ = 0.5 * (sides_[1].back().state.velocity - sides_[0].back().state.velocity);
}

riemann_state riemann_of_gas::at(double speed) const {
  const std::size_t side = speed > speed_ ? 1 : 0;
  const double seen = side == 1 ? speed : -speed;
  const std::vector<ray>& rays = sides_[side];
  riemann_state s = rays.back().state;
  if (seen >= rays.front().speed) {
    s = outer_[side];
  } else if (seen > rays.back().speed) {
    const auto inner =
        std::upper_bound(rays.begin(), rays.end(), seen, [](double v, const ray& r) { return v > r.speed; });
    const ray &a = *(inner - 1), &b = *inner;
    const double t = (a.speed - seen) / (a.speed - b.speed);
    const auto between = [t](double x, double y) { return x + t * (y - x); };
    s = {between(a.state.density, b.state.density), between(a.state.velocity, b.state.velocity),
         between(a.state.pressure, b.state.pressure)};
  }
  return side == 1 ? s : mirrored(s);
}

}  // namespace rednova::problem
