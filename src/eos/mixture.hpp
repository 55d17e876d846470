// The species of a gas of given composition.
#pragma once

#include <vector>

#include "eos/elements.hpp"

namespace rednova::eos {

enum class molecules { none, hydrogen };

/// One stage of ionization.
struct species {
  int charge;
  double log_states;  ///< ln of the ground state's statistical weight
  double potential;   ///< ionization potential [erg]; 0 for bare nuclei
  double energy;      ///< of formation from neutral atoms at rest (from molecules where they are included) [erg]
  double volume;      ///< for pressure ionization [cm^3]; 0 for bare nuclei
};

struct mixture_element {
  double number;    ///< atoms a gram
  double weight;    ///< u
  int first, last;  ///< its species: first ≤ i < last
};

/// At most four elements, and at most `most_species` stages of ionization.
struct mixture {
  static constexpr int most_elements = 4, most_species = 21;
  /// Throws core::user_error where mass fractions are negative or do not add up to 1 within 1e-12.
  mixture(const composition& of, molecules m);

  std::vector<mixture_element> elements;  ///< hydrogen first if there is any
  std::vector<species> stages;
  bool has_molecules;    ///< H2 beside the atoms
  double electrons = 0;  ///< free and bound, a gram
};

/// The volume of the hydrogen atom for pressure ionization: a sphere of two Bohr radii [cm^3].
inline constexpr double hydrogen_volume =
    4.0 / 3.0 * core::pi * 8.0 * core::bohr_radius * core::bohr_radius * core::bohr_radius;
/// Pressure ionization: P(T) = scale (1 + growth T).
inline constexpr double occupation_pressure = 13.6 * core::electron_volt / hydrogen_volume;        // erg/cm^3
inline constexpr double occupation_growth = 5.0 * core::boltzmann / (13.6 * core::electron_volt);  // 1/K

}  // namespace rednova::eos
