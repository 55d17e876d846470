// The Roche model: two point masses on a circular orbit.
#pragma once

#include "core/vec3.hpp"

namespace rednova::stellar {

/// Radius of the sphere that holds a Roche lobe's volume, over the separation, for the star whose mass is q times
/// its companion's; within 1 % (Eggleton 1983, ApJ 268, 368, eq. 2).
double eggleton_lobe(double q);

/// The same for a star that turns about its own axis at `spin` times the orbit's rate: the surface through the point
/// between the stars where the effective potential's slope vanishes (Sepinsky, Willems & Kalogera 2007, ApJ 660, 1624).
/// Its volume over that of the synchronous lobe is integrated, to 1e-3 of the radius; spin = 1 is Eggleton's formula.
double asynchronous_lobe(double q, double spin);

/// The effective potential of masses 1 (at negative x) and 2 at this separation, mass centre at the origin, G = 1:
/// Phi = -m1/r1 - m2/r2 - omega² (x² + y²) / 2, omega² = (m1 + m2) / separation³.
class roche_model {
 public:
  roche_model(double mass1, double mass2, double separation);

  double omega() const { return omega_; }
  double centre(int star) const { return star == 0 ? x1_ : x2_; }
  double potential(core::vec3d r) const;
  /// Where the potential's slope along the x axis vanishes: between the stars (L1), beyond the lighter star (L2)
  /// and beyond the heavier one (L3).
  double l1() const;
  double l2() const;
  double l3() const;

 private:
  double slope(double x) const;
  double beyond(int star) const;

  double m1_, m2_, separation_, omega_, x1_, x2_;
};

}  // namespace rednova::stellar
