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

/// Of one step. Positions and momenta go through the stages of the gas (stage_form.hpp) with the same forces at the
/// same states, so the sum of momenta is exact. The Runge-Kutta scheme keeps energy and angular momentum of a point to
/// its order alone. Of the angular momentum that it misses, what is at right angles to the momentum is restored by a
/// shift of the position, all of it for orbits in a plane; on circles that restores the energy, too. What is still
/// missing is found from the forces on the gas, not from the ledger, and booked.
class point_motion {
 public:
  explicit point_motion(const simulation& s, double dt);

  /// Moves the points through a stage, by the forces at its start; after the last one, restores their angular momenta.
  void advance(const stage_now& stage, const gas_pulls& by_gas, point_masses& points);

  /// Energy and angular momentum that the points have gained beyond what the gas has given, in the inertial frame.
  /// After the last stage; by_gas: at its end.
  totals gained(const point_masses& points, const gas_pulls& by_gas) const;

 private:
  void restore_angular_momenta(double ends, point_masses& points) const;

  point_masses start_;
  grid_turn turn_;
  double time_, dt_;
  double cell_width_;                       // of the finest
  core::vec3d torque_[max_point_masses]{};  // impulse of the gas and of the other points on each, inertial
  core::vec3d by_gas_;                      // of the gas on all
  double grid_energy_ = 0;                  // what gas takes of the points' pull because the grid carries it along
};

}  // namespace rednova::step
