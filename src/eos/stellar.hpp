// The gas of stars as a function of density and internal energy: look-up in a table, and its inverses.
#pragma once

#include "core/constants.hpp"
#include "eos/table_position.hpp"

namespace rednova::eos {

/// Pressure and first adiabatic index, Gamma1 = rho c²/p.
template <class T>
struct pressure_gamma1 {
  T pressure, gamma1;
};

/// What gas consists of.
template <class T>
struct particles {
  T mean_weight;  ///< mean molecular weight of molecules, atoms, ions and free electrons [u]
  T electrons;    ///< free ones, less positrons, for each atomic mass unit
};

/// A table as pure functions in code units; e is the internal energy per volume, x the mass fraction of hydrogen.
/// Energies are counted from cold neutral gas and may be negative where molecules are included. Outside the table the
/// ends of rho and y are used (so gas colder than the table is an ideal gas on the cold curve): see `holds`.
///
/// Between the tabulated fractions of hydrogen gas is a parabola in sqrt(x) through three of them at equal density and
/// temperature, where p, eps and s are smooth (at equal energy the zones of ionization lie elsewhere): F = sum_k
/// w_k F_k(rho, T). The first electrons of cool gas, from traces of hydrogen, go as sqrt(x); numbers of particles and
/// what is of them, linear in x, are exact.
struct stellar {
  const double* data;
  stellar_patch thin, dense;                               ///< the dense one from `split` on
  double split;                                            ///< ln(rho [g/cm^3])
  double hydrogen_min, hydrogen_max, hydrogen_tables;      ///< the fractions: one, or an odd number of them ...
  double first_root, root_step;                            ///< ... with equidistant roots
  double quantities;                                       ///< that the table holds
  double helium_nuclei, hydrogen_nuclei;                   ///< nuclei for each unit of mass at x = 0; more at 1
  double lowest_density, highest_density, highest_energy;  ///< the range, in code units; energy per mass
  double density_unit, energy_unit;                        ///< g/cm^3, erg/g
  double largest_gruneisen;

  /// Whether (rho, e) lies in the table. Cold gas always does.
  template <class T>
  REDNOVA_FN auto holds(const T& rho, const T& e) const {
    return rho >= lowest_density && rho <= highest_density && e <= highest_energy * rho;
  }
  /// p and Gamma1 of (rho, e, x).
  template <class T>
  REDNOVA_LARGE_FN eos::pressure_gamma1<T> pressure_gamma1(const T& rho, const T& e, const T& x) const {
    table_position<T> at(*this, rho, x);
    at.go_to(*this, e / rho);
    return {at.pressure(*this, rho), at.value(*this, stellar_quantity::gamma1)};
  }
  /// Kelvin.
  template <class T>
  REDNOVA_LARGE_FN T temperature(const T& rho, const T& e, const T& x) const {
    table_position<T> at(*this, rho, x);
    at.go_to(*this, e / rho);
    return at.kelvin(*this);
  }
  /// Entropy per mass [k / m_u].
  template <class T>
  REDNOVA_LARGE_FN T entropy(const T& rho, const T& e, const T& x) const {
    table_position<T> at(*this, rho, x);
    at.go_to(*this, e / rho);
    return at.entropy(*this);
  }
  /// (dp/de) at constant rho.
  template <class T>
  REDNOVA_LARGE_FN T gruneisen(const T& rho, const T& e, const T& x) const {
    table_position<T> at(*this, rho, x);
    at.go_to(*this, e / rho);
    return at.value(*this, stellar_quantity::gruneisen);
  }
  /// What gas consists of. Colder than the table it is as at its end.
  template <class T>
  REDNOVA_LARGE_FN eos::particles<T> particles(const T& rho, const T& e, const T& x) const {
    using exec::max;
    table_position<T> at(*this, rho, x);
    at.go_to(*this, e / rho);
    const T electrons = max(at.value(*this, stellar_quantity::electrons), T(0.0));  // splines overshoot zero
    T all = helium_nuclei + hydrogen_nuclei * within(x) + electrons;
    if (quantities > double(stellar_quantity::molecules))
      all = all - max(at.value(*this, stellar_quantity::molecules), T(0.0));
    return {1.0 / all, electrons};
  }
  /// The fraction of hydrogen, or the nearest that there is.
  template <class T>
  REDNOVA_FN T within(const T& x) const {
    return exec::min(exec::max(x, T(hydrogen_min)), T(hydrogen_max));
  }
  REDNOVA_FN double gruneisen_max() const { return largest_gruneisen; }

  /// e(rho, p, x) by Newton's method in y within a bracket, to 1e-13 of p. Pressures outside the table give its end.
  /// In cool dense gas p may not rise with e everywhere (docs/eos.md); the energy that is found may then have a higher
  /// p, but within the table none has a lower one.
  template <class T>
  REDNOVA_LARGE_FN T energy_from_pressure(const T& rho, const T& p, const T& x) const {
    using exec::abs, exec::any, exec::max, exec::natural_log, exec::select;
    table_position<T> at(*this, rho, x);
    const T guess = natural_log(max(T(1.5 * energy_unit * (p - at.cold_pressure()) / rho), T(1e-300)));
    T lacking(0.0);
    const auto found_where = [&](const auto& rises) {
      return energy_where(at, rho, guess, [&](const T& heat) {
        const T found = at.pressure(*this, rho), slope = at.value(*this, stellar_quantity::gruneisen);
        lacking = p - found;
        const T step = lacking / (rho * heat * slope);
        return newton_step<T>{step, rises(lacking, slope), abs(lacking) <= 1e-13 * abs(found)};
      });
    };
    // The nearest, which is that of this gas. Where p falls with e it may have been looked for on the side where there
    // is none: p rises again beyond.
    const T nearest = found_where([](const T& off, const T& slope) { return off * slope > 0.0; });
    const auto missed = lacking > 1e-12 * p;
    if (!any(missed)) return nearest;
    const T beyond = found_where([](const T& off, const T& slope) { return off > 0.0 || slope < 0.0; });
    return select(missed, beyond, nearest);
  }
  /// e(rho, s, x) in the same way, to 1e-12 of eps - eps_c; s in k / m_u.
  template <class T>
  REDNOVA_LARGE_FN T energy_from_entropy(const T& rho, const T& s, const T& x) const {
    using exec::abs;
    table_position<T> at(*this, rho, x);
    const double gas_constant = core::boltzmann / core::atomic_mass / energy_unit;
    return energy_where(at, rho, T(0.5 * (at.lowest_y + at.highest_y())), [&](const T& heat) {
      const T step = (s - at.entropy(*this)) * (gas_constant * at.kelvin(*this)) / heat;  // T ds = deps
      return newton_step<T>{step, step > 0.0, abs(step) <= 1e-12};
    });
  }

 private:
  template <class T>
  struct newton_step {
    T dy;
    decltype(T() < T()) rise;  ///< y is too small, whatever dy is
    decltype(T() < T()) done;
  };

  /// The energy per volume at which `step(heat)` has no step left.
  template <class T, class Step>
  REDNOVA_FN T energy_where(table_position<T>& at, const T& rho, const T& start, const Step& step) const {
    using exec::any, exec::exp, exec::max, exec::min, exec::select;
    const T cold = at.cold_energy();
    T low = at.lowest_y, high = at.highest_y(), y = min(max(start, low), high);
    constexpr int most_steps = 60;
    for (int n = 0; n < most_steps; ++n) {
      const T heat = exp(y) * (1.0 / energy_unit);
      at.go_to(*this, T(cold + heat));
      const newton_step<T> s = step(heat);
      low = select(s.rise, y, low);
      high = select(s.rise, high, y);
      const T next = y + s.dy;
      const auto outside = next <= low || next >= high;
      const auto finished = s.done || high - low <= 1e-14;
      y = select(finished, y, select(outside, 0.5 * (low + high), next));
      if (!any(!finished)) break;
    }
    return rho * (cold + exp(y) * (1.0 / energy_unit));
  }
};

}  // namespace rednova::eos
