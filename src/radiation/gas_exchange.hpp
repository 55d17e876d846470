// Absorption and emission: energy and momentum that gas and light of a cell exchange, implicitly, with their sums kept
// to rounding (docs/radiation.md).
#pragma once

#include "radiation/closure.hpp"

namespace rednova::radiation {

/// c, and a of E = a T⁴, in code units.
struct light_constants {
  double speed;
  double density;
};

/// Gas that shares its energy with light.
template <class T>
struct equilibrium {
  T temperature;
  T heat;  ///< by volume
};

/// The heat by volume of gas at constant density, A Tⁿ: n = 1, the ideal gas, and n = 4, with which equilibrium is a
/// linear problem (Su & Olson 1996).
///
/// What gas_exchange asks of a gas is `share`; that of stars has heat_of_table.
template <class T, int n = 1>
struct heat_of_power {
  static_assert(n == 1 || n == 4);
  T factor;

  /// Heat and temperature where heat + B T⁴ = sum, B >= 0, sum > 0; before: the heat that there was.
  /// iterations: of Newton's method; may be null.
  REDNOVA_FN equilibrium<T> share(const T& b, const T& sum, const T& before, int* iterations) const;

  REDNOVA_FN T energy(const T& t) const { return factor * power(t); }
  REDNOVA_FN T slope(const T& t) const { return n == 1 ? factor : T(4.0 * factor * t * t * t); }
  /// T of an energy: the inverse of energy().
  REDNOVA_FN T temperature(const T& e) const {
    const T p = e / factor;
    return n == 1 ? p : exec::sqrt(T(exec::sqrt(p)));
  }

 private:
  REDNOVA_FN static T power(const T& t) { return n == 1 ? t : T((t * t) * (t * t)); }
};

/// Gas in a cell.
template <class T>
struct gas_of_cell {
  T density;
  core::vec3<T> momentum;
  T heat;  ///< internal energy by volume
};

/// What couples them: rho kappa by the Planck and by the flux mean, and the cell's speed of light.
template <class T>
struct coupling {
  T planck, flux_mean;
  T light_speed;
};

/// The temperature T of e(T) + B T⁴ = sum, e and B >= 0, by Newton's method. A step from any temperature leads above
/// the solution, from where on they are monotone; where the first one is long it is cut to where either term alone is
/// the sum.
///
/// Each lane ends with its own last step, so that it has the bits of a number alone. guess: the temperature before,
/// above zero. iterations: the most of all lanes; may be null.
template <class T, class Heat>
REDNOVA_FN T equilibrium_temperature(const Heat& heat, const T& b, const T& sum, const T& guess,
                                     int* iterations = nullptr) {
  constexpr int most = 60;
  constexpr double converged = 1e-8;  // the error that is left is of the square of this
  constexpr double far = 0.1;
  const auto newton = [&](const T& t) {
    const T cube = t * t * t;
    return T((heat.energy(t) + b * (cube * t) - sum) / (heat.slope(t) + 4.0 * b * cube));
  };
  T step = newton(guess), t = guess - step;
  T going = exec::select(exec::abs(step) > converged * t, T(1.0), T(0.0));
  const auto long_one = exec::abs(step) > far * guess;
  if (exec::any(long_one)) {
    const T above = exec::min(heat.temperature(sum), exec::sqrt(exec::sqrt(T(sum / exec::max(b, T(least_divisor))))));
    t = exec::select(long_one, exec::min(t, above), t);
  }
  int n = 1;
  while (n < most && exec::any(going > 0.0)) {
    step = newton(t);
    t = exec::select(going > 0.0, T(t - step), t);
    going = exec::select(exec::abs(step) > converged * t, going, T(0.0));
    ++n;
  }
  if (iterations != nullptr) *iterations = n;
  return t;
}

template <class T, int n>
REDNOVA_FN equilibrium<T> heat_of_power<T, n>::share(const T& b, const T& sum, const T& before, int* iterations) const {
  const T t = equilibrium_temperature<T>(*this, b, sum, temperature(exec::max(before, T(least_divisor))), iterations);
  return {t, energy(t)};
}

/// The exchange of a step dt, by backward Euler, in grey gas that scatters nothing and emits a T⁴ (mixed frame, O(v/c)
/// with what is of second order in the energy, comoving opacities: Krumholz et al. 2007, ApJ 667, 626).
///
/// X E + heat + kinetic energy and X F/c² + momentum, X = c/light_speed, stay what they were, to rounding; heat and E
/// stay positive; |F| <= cE afterwards. F may be far above cE before: in thick cells transport leaves it so.
template <class T, class Heat>
struct gas_exchange {
  light_constants k;
  double dt;
  coupling<T> by;
  Heat heat;

  /// iterations: how many Newton's method took, of the last time; may be null.
  REDNOVA_FN void operator()(light<T>& of, gas_of_cell<T>& gas, int* iterations = nullptr) const {
    const double c = k.speed;
    const T x = c / by.light_speed, per_x = by.light_speed * (1.0 / c), q = by.flux_mean * by.light_speed * dt;
    const T per_density = 1.0 / gas.density, z = per_density * x * (1.0 / (c * c));
    const T y = by.planck * by.light_speed * dt;
    const T f = length_of(of.flux);
    const core::vec3<T> unit = T(1.0 / exec::max(f, T(least_divisor))) * of.flux;
    const T chi = eddington_factor(exec::min(T(f / ((1.0 + q) * c * of.energy)), T(1.0)));
    const core::vec3<T> v = per_density * gas.momentum;
    const pull drag{q, z, chi, unit, of.flux, v};

    T energy = of.energy;
    equilibrium<T> shared{T(0.0), gas.heat};
    for (int round = 0; round < 2; ++round) {
      const core::vec3<T> flux = drag.flux(c, energy);
      const core::vec3<T> impulse = T(gas.density * z) * (of.flux - flux);
      const T motion = work(impulse, v, per_density);
      const core::vec3<T> now = v + per_density * impulse;
      const T along = dot(now, unit);
      // E in the gas's frame is (1 - g) E.
      const T g = (2.0 * dot(now, flux) / (c * energy) -
                   (dot(now, now) * (1.5 - 0.5 * chi) + along * along * (1.5 * chi - 0.5)) / c) /
                  c;
      const T absorbed = y * (1.0 - g), per = 1.0 / (1.0 + absorbed);
      const T sum =
          exec::max(T((gas.heat + x * absorbed * (of.energy + (gas.heat - motion) * per_x)) * per), T(least_divisor));
      shared = heat.share(T(k.density * x * y * per), sum, shared.heat, iterations);
      const T square = shared.temperature * shared.temperature;
      energy = exec::max(T((of.energy - motion * per_x + y * k.density * (square * square)) * per), T(1e-99));
    }
    const core::vec3<T> flux = drag.flux(c, energy);
    const core::vec3<T> impulse = T(gas.density * z) * (of.flux - flux);
    const T motion = work(impulse, v, per_density);
    // The larger of the two takes the rounding.
    const T hot = shared.heat;
    const auto light_is_larger = hot < x * energy;
    const T left = gas.heat - hot - motion;
    const T heat_left = gas.heat - x * (energy - of.energy) - motion;
    gas.heat = exec::select(light_is_larger, hot, heat_left);
    of.energy = exec::select(light_is_larger, T(of.energy + left * per_x), energy);
    gas.momentum = gas.momentum + impulse;
    of.flux = flux;
  }

 private:
  /// Kinetic energy that an impulse gives to gas of this velocity.
  REDNOVA_FN static T work(const core::vec3<T>& impulse, const core::vec3<T>& v, const T& per_density) {
    return dot(impulse, v) + 0.5 * dot(impulse, impulse) * per_density;
  }

  /// The momentum exchange, linear in F with chi held.
  struct pull {
    T q, z, chi;
    core::vec3<T> unit, before, v;

    /// F afterwards where the energy is so much: at most c times that.
    REDNOVA_FN core::vec3<T> flux(double c, const T& energy) const {
      const T parallel = energy * (1.0 + chi), across = energy * (1.5 - 0.5 * chi);  // (I + D) E
      const core::vec3<T> b = v + z * before, b_parallel = T(dot(b, unit)) * unit;
      const T of_parallel = 1.0 + q * (1.0 + parallel * z), of_across = 1.0 + q * (1.0 + across * z);
      const T both = 1.0 / (of_parallel * of_across), per_parallel = both * of_across, per_across = both * of_parallel;
      core::vec3<T> f =
          per_parallel * (before + T(q * parallel) * b_parallel) + T(q * across * per_across) * (b - b_parallel);
      const T most = c * energy;
      return exec::min(T(most / exec::max(length_of(f), T(least_divisor))), T(1.0)) * f;
    }
  };
};

}  // namespace rednova::radiation
