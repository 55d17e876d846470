// The heat of the gas of stars, which a table gives by temperature, for the exchange with light.
#pragma once

#include "eos/stellar.hpp"
#include "exec/elementary.hpp"
#include "radiation/gas_exchange.hpp"

namespace rednova::radiation {

/// What of the energy by volume is not there at zero temperature, at a density and mass fraction of hydrogen; the table
/// is one without radiation.
template <class T>
struct heat_of_table {
  const eos::stellar& table;
  T density;
  eos::table_position<T> place;

  REDNOVA_FN heat_of_table(const eos::stellar& of, const T& rho, const T& hydrogen)
      : table(of), density(rho), place(of, rho, hydrogen) {}

  /// As heat_of_power::share. T is a function of the heat here, and both of its logarithms: where gas is ionized T
  /// hardly rises, so Newton's method is for ln(heat + B T⁴) = ln(sum) by ln(heat), whose slope is between that of ln T
  /// and 4 times it, or 1; within a bracket, from the heat `before`.
  REDNOVA_FN equilibrium<T> share(const T& b, const T& sum, const T& before, int* iterations) const {
    using exec::abs, exec::any, exec::exp, exec::max, exec::min, exec::natural_log, exec::select;
    constexpr double converged = 1e-7;  // the error that is left is of the square of this
    constexpr double widest = 200;      // of ln(heat)
    constexpr int most = 60;
    const T log_sum = natural_log(sum);
    T high = log_sum, low = log_sum - widest;
    T y = min(natural_log(max(before, T(1e-300))), high);
    y = max(y, low);
    equilibrium<T> found{T(0.0), T(0.0)};
    T going(1.0);
    int n = 0;
    while (n < most && any(going > 0.0)) {
      const T heat = exp(y);
      eos::table_position<T> at = place;
      at.go_to(table, T(place.cold_energy() + heat / density));
      const auto t = at.kelvin_and_slope(table);
      const T square = t.kelvin * t.kelvin, light = b * (square * square), all = heat + light;
      const T excess = natural_log(T(all / sum));
      const auto rise = excess < 0.0;
      low = select(rise, y, low);
      high = select(rise, high, y);
      const T step = -excess * all / (heat + 4.0 * t.slope * light), next = y + step;
      const auto outside = next < low || next > high;
      const T taken = select(outside, T(0.5 * (low + high) - y), step);
      const auto now = going > 0.0;
      y = select(now, T(y + taken), y);
      found.temperature = select(now, T(t.kelvin * exp(T(t.slope * taken))), found.temperature);
      going = select(abs(taken) > converged, going, T(0.0));
      ++n;
    }
    if (iterations != nullptr) *iterations = n;
    found.heat = exp(y);
    return found;
  }
};

}  // namespace rednova::radiation
