// A stage of a substep in cells, after transport: the sum of states and the exchange with the gas.
#pragma once

#include "radiation/block_transport.hpp"
#include "radiation/gas_exchange.hpp"
#include "radiation/scheme.hpp"

namespace rednova::radiation {

/// Of solver's arrays of own leaves.
inline constexpr int start_momentum = moment::count, start_heat = moment::count + 3, start_fields = moment::count + 4;
inline constexpr int gas_density = 0, gas_momentum = 1, gas_heat = 4, gas_first_heat = 5, gas_fields = 6;
inline constexpr int couple_planck = 0, couple_flux = 1, couple_speed = 2, couple_hydrogen = 3, couple_fields = 4;

/// What floor and cut add to U and Q of cells, by the weight with which the stage counts.
template <class T>
struct added_light {
  T energy;
  core::vec3<T> momentum;

  REDNOVA_FN bool any() const {
    const T size = exec::abs(energy) + exec::abs(momentum[0]) + exec::abs(momentum[1]) + exec::abs(momentum[2]);
    return exec::any(size > 0.0);
  }
};

/// Heun's scheme for transport L, with the exchange S implicit (docs/radiation.md):
/// y1 = y0 + dt L(y0) + dt S(y1); y = ½ y0 + ½ (y1 + dt L(y1)) + ½ dt S(y).
///
/// Pointers are to a leaf's blocks, [field][cell]. Of what transport leaves of F above cE, gas takes in the exchange
/// what it would of light that is absorbed meanwhile; the rest is no light, and is cut off.
struct substep_cells {
  scheme by;
  int stage;
  double dt;
  double* moments_now;  ///< [exchanged::count]
  double* start;
  double* gas;
  const double* couple;
  const double* rate;

  /// heat_of(density, hydrogen): the gas, as gas_exchange asks for it.
  template <class T, class HeatOf>
  REDNOVA_FN added_light<T> cells(int cell, const HeatOf& heat_of) const {
    const auto read = [&](const double* p, int field) { return exec::load<T>(p + field * mesh::cells + cell); };
    const auto write = [&](double* p, int field, const T& v) { exec::store(p + field * mesh::cells + cell, v); };
    const auto read3 = [&](const double* p, int field) {
      return core::vec3<T>{read(p, field), read(p, field + 1), read(p, field + 2)};
    };
    const double c = by.k.speed;
    const T speed = read(couple, couple_speed), per_x = speed / c;
    const T density = read(gas, gas_density);
    light<T> of{read(moments_now, moment::energy), read3(moments_now, moment::flux(0))};
    gas_of_cell<T> matter{density, read3(gas, gas_momentum), read(gas, gas_heat)};
    if (stage == 0) {
      write(start, moment::energy, of.energy);
      write(start, start_heat, matter.heat);
      for (int d = 0; d < 3; ++d) {
        write(start, moment::flux(d), of.flux[d]);
        write(start, start_momentum + d, matter.momentum[d]);
      }
    }
    of.energy = of.energy + dt * per_x * read(rate, rate_energy);
    of.flux = of.flux + T(dt * c * speed) * read3(rate, rate_momentum(0));
    if (stage == 1)
      average(of, matter, read3(start, start_momentum), read(start, start_heat), read(start, moment::energy),
              read3(start, moment::flux(0)));
    const T raised = exec::max(of.energy, T(by.energy_floor));
    const double weight = stage == 0 ? 0.5 : 1.0, over = stage == 0 ? dt : 0.5 * dt;
    const T x = c / speed, energy_added = weight * (raised - of.energy) * x;
    of.energy = raised;
    const core::vec3<T> cut = not_light(of, matter, T(read(couple, couple_flux) * speed * over), x);
    of.flux = of.flux - cut;

    using heat = decltype(heat_of(density, density));
    const gas_exchange<T, heat> exchange{by.k,
                                         over,
                                         {read(couple, couple_planck), read(couple, couple_flux), speed},
                                         heat_of(density, read(couple, couple_hydrogen))};
    exchange(of, matter);
    write(moments_now, moment::energy, of.energy);
    write(gas, gas_heat, matter.heat);
    for (int d = 0; d < 3; ++d) {
      write(moments_now, moment::flux(d), of.flux[d]);
      write(gas, gas_momentum + d, matter.momentum[d]);
      // Neighbours ask for it when the substep is over.
      if (stage == 1) write(moments_now, exchanged::velocity(d), T(matter.momentum[d] / density));
    }
    return {energy_added, T(-weight / (c * c) * x) * cut};
  }

 private:
  /// What is to be cut off F before an exchange in which so many mean free paths of light are absorbed: what it would
  /// leave of F above cE, which is no light in transparent cells, and has X times its momentum; and so much that half
  /// of the energy of gas and light can move the rest.
  template <class T>
  REDNOVA_FN core::vec3<T> not_light(const light<T>& of, const gas_of_cell<T>& matter, const T& absorbed,
                                     const T& x) const {
    const double c = by.k.speed;
    const T f = length_of(of.flux), most_light = c * of.energy;
    const T beyond = exec::max(T(f - most_light), T(0.0));
    const T over = exec::max(T(f - (1.0 + absorbed) * most_light), T(0.0)) / (1.0 + absorbed);
    // v² and 2 A/rho: |I| v + I²/(2 rho) <= A.
    const T v = length_of(matter.momentum) / matter.density, twice = (matter.heat + x * of.energy) / matter.density;
    const T most = matter.density * twice / (v + exec::sqrt(T(v * v + exec::max(twice, T(least_divisor)))));
    const T taken = exec::min(T(beyond - over), T(most * (c * c) / x));
    return T((beyond - taken) / exec::max(f, T(least_divisor))) * of.flux;
  }
  /// The mean with the start of the substep. What the mean momentum lacks of the kinetic energies' mean is heat.
  template <class T>
  REDNOVA_FN static void average(light<T>& of, gas_of_cell<T>& gas, const core::vec3<T>& momentum, const T& heat,
                                 const T& energy, const core::vec3<T>& flux) {
    const core::vec3<T> change = gas.momentum - momentum;
    of = {0.5 * (energy + of.energy), T(0.5) * (flux + of.flux)};
    gas.heat = 0.5 * (heat + gas.heat) + 0.125 * dot(change, change) / gas.density;
    gas.momentum = T(0.5) * (momentum + gas.momentum);
  }
};

}  // namespace rednova::radiation
