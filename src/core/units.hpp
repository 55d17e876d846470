// Code units: a length and a mass given in cgs, and the time that makes Newton's constant 1.
#pragma once

#include <cmath>

#include "core/constants.hpp"

namespace rednova::core {

/// Conversion factors: a quantity in code units times its factor is in cgs.
struct units {
  double length = 1;  ///< cm
  double mass = 1;    ///< g
  double time = 1;    ///< s

  /// The unit system in which G = 1 for the given length [cm] and mass [g].
  static units self_gravitating(double length_cm, double mass_g) {
    return {length_cm, mass_g, std::sqrt(length_cm * length_cm * length_cm / (newton_g * mass_g))};
  }
  double velocity() const { return length / time; }                        ///< cm/s
  double density() const { return mass / (length * length * length); }     ///< g/cm^3
  double energy() const { return mass * velocity() * velocity(); }         ///< erg
  double pressure() const { return density() * velocity() * velocity(); }  ///< erg/cm^3
};

}  // namespace rednova::core
