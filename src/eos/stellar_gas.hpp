// The gas of stars as the hydrodynamics sees it: species of given compositions, mixed in each cell.
#pragma once

#include "config/checks.hpp"
#include "eos/ratios.hpp"
#include "eos/stellar.hpp"

namespace rednova::eos {

/// Plain data in code units; the table's coefficients are elsewhere.
struct stellar_gas {
  stellar table{};
  int species = 1;
  double hydrogen_of[config::max_species] = {};  ///< mass fraction in each species

  /// The tracer is rho (s + this), s in k/m_u: positive, though cold dense gas has a negative entropy, and as additive
  /// as rho s.
  static constexpr double entropy_zero = 100;

  /// Mass fraction of hydrogen in lanes<T> cells: species from u on, `stride` apart.
  template <class T>
  REDNOVA_FN T hydrogen(const double* u, std::ptrdiff_t stride) const {
    if (!(table.hydrogen_tables > 1.0)) return T(table.hydrogen_min);  // all species have the same
    T rho = exec::load<T>(u), part = hydrogen_of[0] * rho;
    for (int k = 1; k < species; ++k) {
      const T rho_k = exec::load<T>(u + k * stride);
      rho = rho + rho_k;
      part = part + hydrogen_of[k] * rho_k;
    }
    return part / rho;
  }

  /// The gas at a density, of a mass fraction of hydrogen.
  template <class T>
  struct state {
    const stellar& table;
    T rho, hydrogen;
    mutable table_position<T>
        place;  ///< at the energy asked for last, so a state is one thread's own: a copy is forty packs

    /// What of the energy e is not there at zero temperature.
    REDNOVA_FN T heat(const T& e) const { return e - rho * place.cold_energy(); }
    /// And back.
    REDNOVA_FN T energy_of_heat(const T& heat) const { return rho * place.cold_energy() + heat; }
    /// p of e.
    REDNOVA_FN T pressure(const T& e) const {
      place.go_to(table, T(e / rho));
      return place.pressure(table, rho);
    }
    /// The same with its ratios.
    REDNOVA_FN T pressure(const T& e, cell_ratios<T>& r) const {
      place.go_to(table, T(e / rho));
      const T p = place.pressure(table, rho);
      r = {e / p, place.value(table, stellar_quantity::gamma1)};
      return p;
    }
    /// e of p.
    REDNOVA_FN T energy_of_pressure(const T& p) const { return table.energy_from_pressure(rho, p, hydrogen); }
    /// tau = rho (s + entropy_zero): advected like a density in smooth adiabatic flow.
    REDNOVA_FN T entropy_tracer(const T& e) const {
      place.go_to(table, T(e / rho));
      return rho * (place.entropy(table) + entropy_zero);
    }
    /// As ideal_gas's. The tracer's heat takes a look-up in the table: only gas of which less than a quarter of the
    /// energy is heat is asked for it.
    REDNOVA_FN auto may_be_colder(const T& e, const T&, const T& energy) const { return heat(e) < 0.25 * energy; }
    /// Entropies that the table does not reach give its end.
    REDNOVA_FN T energy_of_tracer(const T& tau) const {
      return table.energy_from_entropy(rho, T(tau / rho - entropy_zero), hydrogen);
    }
    /// Kelvin.
    REDNOVA_FN T temperature(const T& e) const { return table.temperature(rho, e, hydrogen); }
    /// What it consists of.
    REDNOVA_FN eos::particles<T> particles(const T& e) const { return table.particles(rho, e, hydrogen); }
  };
  template <class T>
  REDNOVA_FN state<T> at(const T& rho, const T& hydrogen) const {
    return {table, rho, hydrogen, table_position<T>(table, rho, hydrogen)};
  }
};

}  // namespace rednova::eos
