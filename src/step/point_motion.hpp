// The motion of point masses in a step, and what its integration leaves for the ledger.
#pragma once

#include "step/ledger.hpp"
#include "step/point_masses.hpp"
#include "step/simulation.hpp"
#include "step/stage_form.hpp"

namespace rednova::step {

/// Adds up over all leaves what the stepper has found last. Same bits on any number of threads and ranks.
gas_pulls fold_pulls(const simulation& s);

/// Of the points: kinetic, and potential: half of what each has in the gas's field, for the other half is the gas's
/// m phi/2, and that of their pairs.
struct point_energies {
  double kinetic = 0, potential = 0;
};
point_energies energies_of(const point_masses& points, const gas_pulls& by_gas);

/// Forces of the gas and of the other points on each, along the grid's axes.
void forces_on(const point_masses& points, const gas_pulls& by_gas, core::vec3d (&force)[max_point_masses]);

/// What the points hold, along the grid's axes; energy: both of point_energies. absolute: the sum of its terms'
/// absolute values.
totals point_totals(const point_masses& points, const gas_pulls& by_gas, bool absolute);

/// The largest of |u_d|/h of the points' motion against the grid, of those that touch the domain, and of their
/// accelerations as sqrt(|a|/h); h: width of the finest cells.
double point_rate(const simulation& s);

/// Of one step: pulled by the gas for half of it, on their ways for all of it in the inertial frame, and pulled for the
/// other half (Verlet 1967, Phys. Rev. 159, 98). The gas takes the same two pulls (stage_form.hpp), so that the sum of
/// momenta is exact. On their ways points pull each other, in many short steps of the same kind. Angular momentum
/// changes by the torques of the pulls and nothing else; energy is kept to the order of the scheme, and what is missing
/// is found from the forces on the gas, not from the ledger, and booked.
class point_motion {
 public:
  /// At the step's start, with the pulls that the simulation has found there.
  point_motion(const simulation& s, double dt);

  /// The first pull, and the way to the step's end.
  void drift(point_masses& points);
  /// One of the two pulls; by_gas: where the points are. drift() has given the first.
  void pull(const gas_pulls& by_gas, point_masses& points);

  /// Energy that the points have gained beyond what the gas has given. by_gas: at the step's end.
  double gained_energy(const point_masses& points, const gas_pulls& by_gas) const;

 private:
  point_masses start_;
  gas_pulls by_gas_at_start_;
  double rotation_, dt_;
  double grid_energy_ = 0;  // what gas takes of the points' pull because the grid carries it along
};

}  // namespace rednova::step
