// How the atoms of a mixture are distributed over stages of ionization, given the electrons' chemical potential and the
// occupied volume.
#pragma once

#include <array>

#include "core/constants.hpp"
#include "eos/dual.hpp"
#include "eos/mixture.hpp"

namespace rednova::eos {

/// What depends on rho and T alone, once for all iterations. S is double or a dual number.
template <class S>
struct thermal_terms {
  S kelvin, kt;                                      ///< T, k T [erg]
  S occupation_scale;                                ///< P(T) [erg/cm^3]
  std::array<S, mixture::most_elements> log_number;  ///< ln of atoms and ions per cm^3
  std::array<S, mixture::most_elements> log_volume;  ///< ln lambda³ of them [cm^3]
  std::array<S, mixture::most_species> log_weight;   ///< ln Z_i - E_i / k T
  std::array<S, mixture::most_species> slope;        ///< dln Z_i / dln T
  S log_molecules, molecule_slope;                   ///< of H2: ln(Z / lambda³), dln Z / dln T
};

/// Sums over species, per volume in cgs.
template <class T>
struct population_sums {
  T electrons{}, occupation{};  ///< released electrons; u, the occupied volume per volume
  T ions{}, energy{};           ///< number of molecules, atoms and ions; their energy
  T entropy{};                  ///< over k
  T bound_energy{};             ///< of the energy, that of ionization and dissociation
  T molecules{};                ///< their number
};

/// The partition function of Planck and Larkin over the statistical weight, Q = 1 - e^-y (1 + y), and dlnQ/dln T.
template <class S>
struct planck_larkin {
  S log, slope;
  explicit planck_larkin(const S& y) {
    using std::exp, std::log;
    const S e = exp(S(-y));
    // 1 - e^-y (1 + y) = sum_n (-1)^n y^n / (n! / (n - 1)) for small y, where the difference loses digits.
    const S q = value_of(y) < 0.05 ? y * y * (0.5 + y * (-1.0 / 3 + y * (1.0 / 8 + y * (-1.0 / 30 + y / 144.0))))
                                   : 1.0 - e * (1.0 + y);
    this->log = log(q);
    slope = -y * y * e / q;
  }
};

template <class S>
thermal_terms<S> make_thermal_terms(const mixture& gas, const S& log_rho, const S& log_t) {
  using namespace core;
  using std::exp, std::log;
  thermal_terms<S> r;
  r.kelvin = exp(log_t);
  r.kt = boltzmann * r.kelvin;
  r.occupation_scale = occupation_pressure * (1.0 + occupation_growth * r.kelvin);
  const S log_kt = log_t + std::log(boltzmann);
  const auto log_volume = [&](double weight) {
    return 1.5 * (std::log(planck * planck / (2.0 * pi * weight * atomic_mass)) - log_kt);
  };
  for (std::size_t e = 0; e < gas.elements.size(); ++e) {
    r.log_number[e] = log_rho + std::log(gas.elements[e].number);
    r.log_volume[e] = log_volume(gas.elements[e].weight);
  }
  for (std::size_t i = 0; i < gas.stages.size(); ++i) {
    const species& s = gas.stages[i];
    r.log_weight[i] = s.log_states - s.energy / r.kt;
    r.slope[i] = S(0.0);
    if (s.potential > 0) {
      const planck_larkin<S> q(S(s.potential / r.kt));
      r.log_weight[i] += q.log;
      r.slope[i] = q.slope;
    }
  }
  if (gas.has_molecules) {
    using namespace hydrogen_molecule;
    const S v = vibration / r.kelvin, e = exp(S(-v));
    r.log_molecules = log_t - std::log(2.0 * rotation) - log(S(1.0 - e)) - log_volume(weight);
    r.molecule_slope = 1.0 + v * e / (1.0 - e);
  }
  return r;
}

/// Released electrons and occupied volume alone, or all sums.
enum class wanted { balance, all };

/// The sums at chemical potential `eta` (over k T, without rest mass) and occupied volume exp(log_u): minimal free
/// energy for given nuclei. In an element n_z ~ Z_z exp(-E_z/kT - v_z q - z eta), q = P G'(u) / k T.
template <wanted Wanted, class S, class T>
population_sums<T> populations(const mixture& gas, const thermal_terms<S>& at, const T& eta, const T& log_u) {
  using std::exp, std::log, std::sqrt;
  const T u = exp(log_u), u2 = u * u, q = at.occupation_scale * u2 * (1.0 + u2 * u2) / at.kt;
  population_sums<T> sum;
  for (std::size_t e = 0; e < gas.elements.size(); ++e) {
    const mixture_element& now = gas.elements[e];
    const auto first = static_cast<std::size_t>(now.first), last = static_cast<std::size_t>(now.last);
    std::array<T, mixture::most_species> weight;  // ln of the unnormalized populations
    double largest = -HUGE_VAL;
    for (std::size_t i = first; i < last; ++i) {
      const species& s = gas.stages[i];
      weight[i] = at.log_weight[i] - s.volume * q - double(s.charge) * eta;
      largest = std::max(largest, value_of(weight[i]));
    }
    T partition(0.0);
    std::array<T, mixture::most_species> number;
    for (std::size_t i = first; i < last; ++i) partition += number[i] = exp(T(weight[i] - largest));
    T log_scale = at.log_number[e] - log(partition);
    if (gas.has_molecules && e == 0) {
      // Atoms' share a of the nuclei: a + 2 b a² = 1, with b a² N molecules.
      const T log_b = at.log_molecules - hydrogen_molecule::volume * hydrogen_volume * q + 2.0 * at.log_volume[e] -
                      2.0 * (largest + log(partition)) + at.log_number[e];
      const T share = 2.0 / (1.0 + sqrt(T(1.0 + 8.0 * exp(log_b))));
      const T log_molecules = log_b + 2.0 * log(share) + at.log_number[e], n = exp(log_molecules);
      log_scale += log(share);
      sum.occupation += hydrogen_molecule::volume * hydrogen_volume * n;
      if constexpr (Wanted == wanted::all) {
        sum.ions += n;
        sum.molecules += n;
        sum.energy += n * at.kt * (1.5 + at.molecule_slope);
        sum.entropy += n * (2.5 + at.molecule_slope - log_molecules + at.log_molecules);
      }
    }
    const T scale = exp(log_scale);
    for (std::size_t i = first; i < last; ++i) {
      const species& s = gas.stages[i];
      const T n = scale * number[i];
      sum.electrons += double(s.charge) * n;
      sum.occupation += s.volume * n;
      if constexpr (Wanted == wanted::all) {
        const T log_n = log_scale + weight[i] - largest;
        sum.ions += n;
        sum.bound_energy += s.energy * n;
        sum.energy += n * (at.kt * (1.5 + at.slope[i]) + s.energy);
        sum.entropy += n * (2.5 + at.slope[i] - (log_n + at.log_volume[e]) + at.log_weight[i] + s.energy / at.kt);
      }
    }
  }
  return sum;
}

}  // namespace rednova::eos
