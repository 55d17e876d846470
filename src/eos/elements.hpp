// The elements of `stellar` gas: masses, ionization potentials and ground states.
#pragma once

#include <array>
#include <span>

#include "core/constants.hpp"

namespace rednova::eos {

/// Mass fractions; they add up to one.
struct composition {
  double hydrogen = 0, helium = 0, carbon = 0, oxygen = 0;
};

/// One element: its stages of ionization from the neutral atom to the bare nucleus.
struct element {
  double weight;                       ///< atomic weight [u]
  std::span<const double> degeneracy;  ///< of the ground state of each stage
  std::span<const double> potentials;  ///< ionization potential of each stage but the last [eV]
  int charge() const { return static_cast<int>(potentials.size()); }
};

namespace element_data {
inline constexpr std::array hydrogen_states{2.0, 1.0};
inline constexpr std::array hydrogen_potentials{13.598434};
inline constexpr std::array helium_states{1.0, 2.0, 1.0};
inline constexpr std::array helium_potentials{24.587389, 54.417765};
inline constexpr std::array carbon_states{9.0, 6.0, 1.0, 2.0, 1.0, 2.0, 1.0};
inline constexpr std::array carbon_potentials{11.2603, 24.3845, 47.88778, 64.49352, 392.0905, 489.993177};
inline constexpr std::array oxygen_states{9.0, 4.0, 9.0, 6.0, 1.0, 2.0, 1.0, 2.0, 1.0};
inline constexpr std::array oxygen_potentials{13.618055, 35.12112, 54.93554,  77.4135,
                                              113.8989,  138.1189, 739.32683, 871.40989};
}  // namespace element_data

/// In the order of `composition`; potentials of the NIST Atomic Spectra Database, IUPAC's weights.
inline constexpr std::array<element, 4> elements_of_gas{{
    {1.00794, element_data::hydrogen_states, element_data::hydrogen_potentials},
    {4.002602, element_data::helium_states, element_data::helium_potentials},
    {12.0107, element_data::carbon_states, element_data::carbon_potentials},
    {15.9994, element_data::oxygen_states, element_data::oxygen_potentials},
}};

/// Atoms and ions for each atomic mass unit.
constexpr double nuclei(const composition& of) {
  return of.hydrogen / elements_of_gas[0].weight + of.helium / elements_of_gas[1].weight +
         of.carbon / elements_of_gas[2].weight + of.oxygen / elements_of_gas[3].weight;
}

/// The hydrogen molecule as a rigid rotator and a harmonic oscillator (Huber & Herzberg 1979).
namespace hydrogen_molecule {
inline constexpr double weight = 2.01588;                              ///< u
inline constexpr double dissociation = 4.47807 * core::electron_volt;  ///< erg
inline constexpr double rotation = 87.6;                               ///< K
inline constexpr double vibration = 6332.0;                            ///< K
inline constexpr double volume = 2.5;                                  ///< of that of the hydrogen atom
}  // namespace hydrogen_molecule

}  // namespace rednova::eos
