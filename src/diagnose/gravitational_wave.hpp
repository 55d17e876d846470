// The gravitational wave that the motion of gas and point masses sends out, as the quadrupole of the mass has it.
#pragma once

#include "step/simulation.hpp"

namespace rednova::diagnose {

/// A symmetric tensor of the inertial frame.
struct symmetric_tensor {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  /// Its components after the axes, or before the tensor itself, have turned by an angle about z.
  symmetric_tensor rotated(double angle) const;
};

/// Second derivative in time of sum m x x, but for multiples of the unit tensor, which send out nothing: the sum of
/// m (2 v v + x g + g x) over cells and point masses, without a derivative in time (Blanchet, Damour & Schaefer 1990,
/// MNRAS 242, 289; Finn & Evans 1990, ApJ 351, 588); pressure gives a multiple of the unit tensor. Energy that heat and
/// light have as mass is left out. In code units, of the inertial frame. Same bits on any number of threads and ranks.
/// Contract: simulation::u() and gravity() are up to date, and there is gravity.
symmetric_tensor quadrupole_acceleration(const step::simulation& s);

/// Strains times the distance of the observer, as lengths in code units, by the two polarisations.
struct gravitational_wave {
  double plus_z = 0, cross_z = 0;  ///< seen along z, axes x and y
  double plus_x = 0, cross_x = 0;  ///< seen along x, axes y and z

  /// h_ij = 2 G/(c⁴ D) Q_ij, Q_ij of quadrupole_acceleration(). light_speed: in code units.
  static gravitational_wave of(const symmetric_tensor& acceleration, double light_speed);
};

}  // namespace rednova::diagnose
