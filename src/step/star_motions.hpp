// How the two stars of a binary move about each other.
#pragma once

#include <array>
#include <vector>

#include "core/compensated.hpp"
#include "step/simulation.hpp"

namespace rednova::step {

/// How the gas of a star's species moves as a whole, wherever it is: mass, mass centre, and its velocity in the
/// inertial frame with components along the grid's axes.
struct star_motion {
  double mass = 0;
  core::vec3d centre, velocity;
};

/// Accretor and donor.
struct star_motions {
  std::array<star_motion, 2> of;

  /// Angular momentum about z of the two about their common mass centre, and the angular velocity that it makes: 0
  /// without two masses apart.
  double angular_momentum() const;
  double frequency() const;
};

/// Adds up over all leaves. Same bits on any number of threads and ranks. Contract: there are two stars' species.
star_motions measure_motions(const simulation& s);

/// What the stepper has found last of each leaf (stepper::sums), the first `numbers` of it, added up over all.
std::vector<core::compensated> fold_leaf_sums(const simulation& s, int numbers);

}  // namespace rednova::step
