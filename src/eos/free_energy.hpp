// The gas of stars from one free energy: ions, bound electrons, free electrons of any degeneracy, pairs, radiation.
#pragma once

#include "eos/ionization.hpp"
#include "eos/mixture.hpp"

namespace rednova::eos {

enum class radiation { none, included };

/// Gas at one (rho, T), in cgs; x_rho and x_t are derivatives by ln rho and by ln T.
struct gas_state {
  double pressure, pressure_rho, pressure_t;  ///< erg/cm^3
  double energy, energy_rho, energy_t;        ///< erg/g, from neutral atoms at rest (molecules where they are included)
  double entropy, entropy_rho, entropy_t;     ///< erg/(g K)
  double gamma1;                              ///< dln p/dln rho at constant entropy
  double gruneisen;                           ///< dp/d(rho energy) at constant rho
  double mean_weight;                         ///< mean molecular weight of ions and free electrons [u]
  double free_electrons;                      ///< electrons less positrons, for each atomic mass unit
  double molecules;                           ///< of hydrogen, for each atomic mass unit
  double ionization_energy;                   ///< the part of the energy in ionization and dissociation [erg/g]
  potentials solution;                        ///< a start for states nearby
};

/// The free energy per volume
///   f = sum_i n_i [k T (ln(n_i lambda_i³ / Z_i) - 1) + E_i] + f_e(n_e, T) + P(T) G(u) - a T^4 / 3
/// is minimal for given nuclei and charge zero, so that pressure, energy and entropy are consistent. Partition
/// functions Z_i = g_i [1 - e^-y (1 + y)], y = chi_i / k T (Planck & Larkin; Rogers 1986, ApJ 310, 723). Pressure
/// ionization: u = sum v_i n_i over bound species, G' = u² (1 + u^4), v_i = v_H (z + 1) 13.6 eV / chi_i, v_H = (4 pi /
/// 3) (2 a_0)³, P = (13.6 eV + 5 k T) / v_H; f is convex in the densities, hence dp/drho > 0 at constant T. No Coulomb
/// terms.
class free_energy {
 public:
  /// Throws core::user_error where mass fractions are negative or do not add up to 1 within 1e-12.
  free_energy(const composition& of, radiation r, molecules m = molecules::none)
      : gas_(of, m), radiates_(r == radiation::included) {}

  /// The state at rho [g/cm^3] and T [K], both positive, iterated from a state nearby if `start.known`.
  gas_state at(double rho, double kelvin, const potentials& start = {}) const;

  bool radiates() const { return radiates_; }

 private:
  mixture gas_;
  bool radiates_;
};

}  // namespace rednova::eos
