#include "step/driving.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "exchange/gather.hpp"
#include "step/stepper.hpp"

namespace rednova::step {

namespace {

/// What the stepper has found of each leaf, added up over all.
std::vector<core::compensated> fold_sums(const simulation& s, int numbers) {
  return exchange::fold_leaves<core::compensated>(
      s.context(), "driving", s.tree(), s.halo().partition(), numbers,
      [&](int leaf, core::compensated* row) { std::copy_n(s.stepper().sums(leaf), numbers, row); },
      [numbers](core::compensated* to, const core::compensated* part) {
        for (int i = 0; i < numbers; ++i) to[i] += part[i];
      });
}

core::vec3d vector(const core::compensated* numbers) {
  return {numbers[0].value(), numbers[1].value(), numbers[2].value()};
}

/// The reduced mass times the square of the distance from the axis.
double moment_of_inertia(const star_motions& stars) {
  const star_motion &a = stars.of[0], &b = stars.of[1];
  if (!(a.mass > 0) || !(b.mass > 0)) return 0;
  const core::vec3d apart = b.centre - a.centre;
  return a.mass * b.mass / (a.mass + b.mass) * (apart.x * apart.x + apart.y * apart.y);
}

}  // namespace

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
  const std::vector<core::compensated> all = fold_sums(s, numbers_of_motions);
  star_motions found;
  for (std::size_t star = 0; star < 2; ++star) {
    const core::compensated* const of = &all[star * numbers_of_motion];
    const double mass = of[0].value();
    if (mass > 0) found.of[star] = {mass, (1 / mass) * vector(of + 1), (1 / mass) * vector(of + 4)};
  }
  return found;
}

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
  const std::vector<core::compensated> all = fold_sums(s, numbers_of_gains);
  totals gained(s.fields().species());
  gained.momentum = vector(all.data());
  gained.angular_momentum = vector(all.data() + 3);
  gained.energy = all[6].value();
  return gained.rotated(s.rotation() * ends);
}

}  // namespace rednova::step
