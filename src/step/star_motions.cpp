#include "step/star_motions.hpp"

#include <algorithm>

#include "step/driving_cells.hpp"
#include "step/leaf_sums.hpp"
#include "step/stepper.hpp"

namespace rednova::step {

namespace {

/// The reduced mass times the square of the distance from the axis.
double moment_of_inertia(const star_motions& stars) {
  const star_motion &a = stars.of[0], &b = stars.of[1];
  if (!(a.mass > 0) || !(b.mass > 0)) return 0;
  const core::vec3d apart = b.centre - a.centre;
  return a.mass * b.mass / (a.mass + b.mass) * (apart.x * apart.x + apart.y * apart.y);
}

}  // namespace

std::vector<core::compensated> fold_leaf_sums(const simulation& s, int numbers) {
  return add_leaves(s, "driving", numbers,
                    [&](int leaf, core::compensated* row) { std::copy_n(s.stepper().sums(leaf), numbers, row); });
}

double star_motions::angular_momentum() const {
  const star_motion &a = of[0], &b = of[1];
  if (!(a.mass > 0) || !(b.mass > 0)) return 0;
  return a.mass * b.mass / (a.mass + b.mass) * cross(b.centre - a.centre, b.velocity - a.velocity).z;
}

double star_motions::frequency() const {
  const double inertia = moment_of_inertia(*this);
  return inertia > 0 ? angular_momentum() / inertia : 0;
}

star_motions measure_motions(const simulation& s) {
  s.stepper().sum_motions();
  const std::vector<core::compensated> all = fold_leaf_sums(s, numbers_of_motions);
  star_motions found;
  for (std::size_t star = 0; star < 2; ++star) {
    const core::compensated* const of = &all[star * numbers_of_motion];
    const double mass = of[0].value();
    if (mass > 0) found.of[star] = {mass, (1 / mass) * to_vector(of + 1), (1 / mass) * to_vector(of + 4)};
  }
  return found;
}

}  // namespace rednova::step
