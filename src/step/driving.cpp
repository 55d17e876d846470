#include "step/driving.hpp"

#include <cmath>

#include "core/constants.hpp"
#include "step/leaf_sums.hpp"
#include "step/stepper.hpp"

namespace rednova::step {

star_velocities turned_faster(const star_motions& stars, double faster) {
  const star_motion &a = stars.of[0], &b = stars.of[1];
  const core::vec3d apart = b.centre - a.centre;
  const core::vec3d change{-faster * apart.y, faster * apart.x, 0};
  const double all = a.mass + b.mass;
  return {{(-b.mass / all) * change, (a.mass / all) * change}};
}

bool is_driven(const simulation& s) {
  const config::driving& asked = s.par().driving;
  return asked.rate != 0 && s.stars().apart && (asked.orbits == 0 || std::abs(s.orbits()) < asked.orbits);
}

totals drive(const simulation& s, double dt, double ends) {
  const star_motions stars = measure_motions(s);
  const double omega = stars.frequency(), orbits = std::abs(omega) * dt / (2 * core::pi);
  s.stepper().drive(turned_faster(stars, -s.par().driving.rate * orbits * omega));
  const std::vector<core::compensated> all = fold_leaf_sums(s, numbers_of_gains);
  totals gained(s.fields().species());
  gained.momentum = to_vector(all.data());
  gained.angular_momentum = to_vector(all.data() + 3);
  gained.energy = all[6].value();
  return gained.rotated(s.grid_angle(ends));
}

}  // namespace rednova::step
