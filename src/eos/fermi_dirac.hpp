// Electrons of any degeneracy and any temperature, with positrons where they matter.
#pragma once

#include "eos/dual.hpp"

namespace rednova::eos {

/// Electrons, per volume in cgs; with pairs, electrons less positrons in number, and both in pressure and energy.
template <class T>
struct electron_gas {
  T number;    ///< cm^-3
  T pressure;  ///< erg/cm^3
  T energy;    ///< erg/cm^3: kinetic, and the rest mass of pairs
};

enum class positrons { none, included };

/// The electron gas at k T = beta m_e c². `potential` is the chemical potential over k T: without the rest mass for
/// positrons::none (eta), with it for positrons::included (eta + 1/beta, which positrons have with the other sign).
/// The integrals over x = (kinetic energy)/(k T), dn ~ x^(1/2) (1 + beta x/2)^(1/2) (1 + beta x) f dx, are taken in
/// four pieces about the Fermi energy with 20 Gaussian points each (Aparicio 1998, ApJS 117, 627, with his break
/// points). T is double, dual<2> or dual<4>.
template <class T>
electron_gas<T> fermi_dirac(const T& potential, const T& beta, positrons p);

/// The number alone, with its derivative by the potential, for a third of the time.
dual<1> electron_number(double potential, double beta, positrons p);

}  // namespace rednova::eos
