#include "eos/stellar_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.hpp"
#include "eos/stellar_table.hpp"

namespace rednova::eos {
namespace {

using namespace core;

constexpr double gas_constant = boltzmann / atomic_mass;

/// Gas at the coldest temperature, split into what is there at zero temperature, a part linear in T, and radiation.
struct cold_end {
  gas_state state;
  double kelvin, rho, light;  ///< light: the radiation constant or 0
  double energy, pressure;    ///< at zero temperature
  double heat, push;          ///< linear parts of energy and pressure at `kelvin`

  cold_end(const free_energy& gas, double density)
      : kelvin(coldest_temperature(density)), rho(density), light(gas.radiates() ? radiation_constant : 0.0) {
    state = gas.at(rho, kelvin);
    const double t4 = light * std::pow(kelvin, 4);
    heat = state.energy_t - 4.0 * t4 / rho;
    push = state.pressure_t - 4.0 / 3.0 * t4;
    energy = state.energy - t4 / rho - heat;
    pressure = state.pressure - t4 / 3.0 - push;
    if (std::abs(pressure) < 1e-9 * state.pressure) pressure = 0.0;
  }
  /// eps - eps_c, and the values at a temperature not above `kelvin`.
  double energy_above(double t) const { return heat * t / kelvin + light * std::pow(t, 4) / rho; }
  /// The temperature at which energy_above is `wanted`: Newton's method from above on a convex function.
  double temperature(double wanted) const {
    double t = kelvin;
    for (int n = 0; n < 60; ++n) {
      const double slope = heat / kelvin + 4.0 * light * t * t * t / rho;
      const double step = (energy_above(t) - wanted) / slope;
      t -= step;
      if (std::abs(step) < 1e-15 * t) break;
    }
    return t;
  }
};

struct node {
  double pressure, gamma1, kelvin, entropy, gruneisen, electrons, molecules;
};

node below(const cold_end& end, double y) {
  const double t = end.temperature(std::exp(y)), part = t / end.kelvin, light = end.light * t * t * t;
  const double p = end.pressure + end.push * part + light * t / 3.0;
  const double by_t = end.push * part + 4.0 / 3.0 * light * t;            // dp/dln T
  const double capacity = end.heat / end.kelvin + 4.0 * light / end.rho;  // deps/dT
  const double by_rho = std::max(end.state.pressure_rho - end.push * (1.0 - part), 1e-3 * p);
  const double gruneisen = by_t / (end.rho * capacity * t);
  const double light_end = end.light * std::pow(end.kelvin, 3);
  const double entropy =
      end.state.entropy + 4.0 / 3.0 * (light - light_end) / end.rho + end.heat / end.kelvin * std::log(part);
  return {p, (by_rho + by_t * gruneisen) / p, t, entropy, gruneisen, end.state.free_electrons, end.state.molecules};
}

/// What is searched for at a node, with its derivatives by y.
struct track_point {
  double y;
  std::array<double, 3> value, slope;  ///< of ln T and of the potentials' two unknowns
};

/// The cubic through two points with their slopes, beyond the second.
std::array<double, 3> ahead(const track_point& a, const track_point& b, double y) {
  const double h = b.y - a.y, t = (y - a.y) / h, t2 = t * t, t3 = t2 * t;
  std::array<double, 3> r{};
  for (std::size_t i = 0; i < 3; ++i) {
    r[i] = (2 * t3 - 3 * t2 + 1) * a.value[i] + (t3 - 2 * t2 + t) * h * a.slope[i] + (3 * t2 - 2 * t3) * b.value[i] +
           (t3 - t2) * h * b.slope[i];
  }
  return r;
}

/// Follows one density from the coldest temperature upwards.
class climb {
 public:
  climb(const free_energy& gas, const cold_end& end)
      : gas_(gas), end_(end), now_(end.state), log_t_(std::log(end.kelvin)) {}

  /// The state at a larger y than before, to 1e-11 in y: Newton's method in (y, ln T), which both rise, within a
  /// bracket, from where the last two nodes point.
  node to(double y) {
    double low = log_t_, high = HUGE_VAL;
    std::array<double, 3> guess{};
    if (nodes_ >= 2 && before_.solution.kind == now_.solution.kind) {
      guess = ahead(point_of(before_, before_log_t_), point_of(now_, log_t_), y);
    }
    before_ = now_;
    before_log_t_ = log_t_;
    ++nodes_;
    if (guess[0] > low && guess[0] < low + longest) {
      log_t_ = guess[0];
      now_ = gas_.at(end_.rho, std::exp(log_t_), {guess[1], guess[2], now_.solution.kind, true});
    }
    for (int n = 0; n < 100; ++n) {
      const double excess = now_.energy - end_.energy, off = y - std::log(excess);
      if (std::abs(off) < 1e-11 || high - low < 1e-14) break;
      (off > 0 ? low : high) = log_t_;
      double step = std::clamp(off * excess / now_.energy_t, -longest, longest);
      if (log_t_ + step <= low || log_t_ + step >= high) step = 0.5 * (low + high) - log_t_;
      log_t_ += step;
      now_ = gas_.at(end_.rho, std::exp(log_t_), now_.solution.after(step));
    }
    return {now_.pressure,  now_.gamma1,         std::exp(log_t_), now_.entropy,
            now_.gruneisen, now_.free_electrons, now_.molecules};
  }

 private:
  static constexpr double longest = 0.3;  // step in ln T

  track_point point_of(const gas_state& s, double log_t) const {
    const double excess = s.energy - end_.energy, by_y = excess / s.energy_t;
    return {std::log(excess),
            {log_t, s.solution.electron, s.solution.log_occupation},
            {by_y, by_y * s.solution.electron_t, by_y * s.solution.log_occupation_t}};
  }
  const free_energy& gas_;
  const cold_end& end_;
  gas_state now_, before_{};  ///< before_: the node before the last one
  double log_t_, before_log_t_ = 0;
  int nodes_ = 0;  ///< that have been asked for
};

}  // namespace

double coldest_temperature(double rho) {
  const auto fourth = [](double x) { return x * x * x * x; };
  const auto root = [](double x) { return std::sqrt(std::sqrt(x)); };
  const double dense = fourth(1e3) * (1.0 + fourth(std::pow(rho / 1e3, 0.7)));
  const double middle = 1.0 / (1.0 / fourth(1e3 * std::pow(rho / 1e-3, 0.4)) + 1.0 / fourth(1e5));
  return root(dense + middle);
}

table_row make_row(const free_energy& gas, double rho, const std::vector<double>& y) {
  const cold_end end(gas, rho);
  table_row row{end.energy, end.pressure, {}};
  climb states(gas, end);
  const double first = std::log(end.state.energy - end.energy);
  for (const double at : y) {
    const node n = at < first ? below(end, at) : states.to(at);
    const auto put = [&](stellar_quantity q, double value) {
      row.values[static_cast<std::size_t>(q)].push_back(value);
    };
    put(stellar_quantity::pressure, (n.pressure - end.pressure) / (rho * std::exp(at)));
    put(stellar_quantity::gamma1, n.gamma1);
    put(stellar_quantity::temperature, std::log(n.kelvin));
    put(stellar_quantity::entropy, std::asinh(n.entropy / (10.0 * gas_constant)));
    put(stellar_quantity::gruneisen, n.gruneisen);
    put(stellar_quantity::electrons, n.electrons);
    put(stellar_quantity::molecules, n.molecules);
  }
  return row;
}

}  // namespace rednova::eos
