#include "step/point_motion.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/compensated.hpp"
#include "gravity/softened_point.hpp"
#include "step/leaf_sums.hpp"
#include "step/rotation.hpp"
#include "step/stepper.hpp"

namespace rednova::step {

namespace {

/// Field between two points, G m m' taken out: that of the wider one's spline.
struct pair_field {
  double potential;
  core::vec3d pull;  ///< on the first
};

pair_field between(const point_mass& a, const point_mass& b) {
  const core::vec3d apart = b.position - a.position;
  const double one_over_h = 1 / std::max(a.softening, b.softening);
  const auto unit = gravity::softened_at(std::sqrt(dot(apart, apart)) * one_over_h);
  return {one_over_h * unit.potential, (one_over_h * one_over_h * one_over_h * unit.pull) * apart};
}

/// Calls body(k, l, field between them times both masses) for each pair.
template <class Body>
void for_pairs(const point_masses& points, const Body& body) {
  for (int k = 0; k < points.count; ++k) {
    for (int l = k + 1; l < points.count; ++l) {
      const pair_field f = between(points[k], points[l]);
      const double masses = points[k].mass * points[l].mass;
      body(k, l, pair_field{masses * f.potential, masses * f.pull});
    }
  }
}

double kinetic_energy(const point_mass& p) { return dot(p.momentum, p.momentum) / (2 * p.mass); }

void pull_each_other(point_masses& points, double time) {
  for_pairs(points, [&](int k, int l, const pair_field& f) {
    points[k].momentum += time * f.pull;
    points[l].momentum -= time * f.pull;
  });
}

/// Of a step. They cost nothing, and leave a 256th of the error that pairs would have.
constexpr int steps_of_pairs = 16;

core::vec3d size(const core::vec3d& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }

}  // namespace

void forces_on(const point_masses& points, const gas_pulls& by_gas, core::vec3d (&force)[max_point_masses]) {
  std::copy_n(by_gas.force, points.count, force);
  for_pairs(points, [&](int k, int l, const pair_field& f) {
    force[k] += f.pull;
    force[l] -= f.pull;
  });
}

gas_pulls fold_pulls(const simulation& s) {
  const int points = s.points().count, numbers = numbers_of_pulls(points);
  gas_pulls sum;
  if (points == 0) return sum;
  const auto all = add_leaves(s, "point masses", numbers, [&](int leaf, core::compensated* row) {
    std::copy_n(s.stepper().pulls(leaf), numbers, row);
  });
  for (int k = 0; k < points; ++k) {
    const core::compensated* const of = &all[static_cast<std::size_t>(4 * k)];
    sum.force[k] = to_vector(of);
    sum.energy[k] = of[3].value();
  }
  sum.work = all.back().value();
  return sum;
}

point_energies energies_of(const point_masses& points, const gas_pulls& by_gas) {
  point_energies sum;
  for (int k = 0; k < points.count; ++k) {
    sum.kinetic += kinetic_energy(points[k]);
    sum.potential += 0.5 * by_gas.energy[k];
  }
  for_pairs(points, [&](int, int, const pair_field& f) { sum.potential += f.potential; });
  return sum;
}

totals point_totals(const point_masses& points, const gas_pulls& by_gas, bool absolute) {
  totals t;
  const auto vector = [&](const core::vec3d& v) { return absolute ? size(v) : v; };
  for (const point_mass& p : points) {
    t.momentum += vector(p.momentum);
    t.angular_momentum += vector(cross(p.position, p.momentum));
  }
  const point_energies e = energies_of(points, by_gas);
  t.energy = e.kinetic + (absolute ? -e.potential : e.potential);  // all fields are below zero
  return t;
}

double point_rate(const simulation& s) {
  const point_masses& points = s.points();
  const mesh::domain& box = s.tree().box();
  const double h = std::ldexp(box.base_width, -s.tree().max_level()) / mesh::N;
  core::vec3d force[max_point_masses];
  forces_on(points, s.pulls(), force);
  double rate = 0;
  for (int k = 0; k < points.count; ++k) {
    const point_mass& p = points[k];
    const core::vec3d by_grid{-s.rotation() * p.position.y, s.rotation() * p.position.x, 0};
    const core::vec3d u = size(p.velocity() - by_grid);
    const double acceleration = std::sqrt(dot(force[k], force[k])) / p.mass;
    rate = std::max(rate, std::sqrt(acceleration / h));
    // Out there, where the turning grid is fast, no gas is near the point.
    bool inside = true;
    for (int d = 0; d < 3; ++d)
      inside = inside && p.position[d] > box.lower[d] - p.softening && p.position[d] < box.upper()[d] + p.softening;
    if (inside) rate = std::max({rate, u.x / h, u.y / h, u.z / h});
  }
  return rate;
}

point_motion::point_motion(const simulation& s, double dt)
    : start_(s.points()), by_gas_at_start_(s.pulls()), rotation_(s.rotation()), dt_(dt) {}

void point_motion::pull(const gas_pulls& by_gas, point_masses& points) {
  const double time = last_pull * dt_;
  for (int k = 0; k < points.count; ++k) {
    grid_energy_ -= rotation_ * time * cross(points[k].position, by_gas.force[k]).z;
    points[k].momentum += time * by_gas.force[k];
  }
}

void point_motion::drift(point_masses& points) {
  pull(by_gas_at_start_, points);
  const double time = dt_ / steps_of_pairs;
  for (int n = 0; n < steps_of_pairs; ++n) {
    pull_each_other(points, 0.5 * time);
    for (int k = 0; k < points.count; ++k) points[k].position += time * points[k].velocity();
    pull_each_other(points, 0.5 * time);
  }
  const auto turn = frame_rotation::of_frame(rotation_, dt_);
  for (int k = 0; k < points.count; ++k) {
    points[k].position = turn(points[k].position);
    points[k].momentum = turn(points[k].momentum);
  }
}

double point_motion::gained_energy(const point_masses& points, const gas_pulls& by_gas) const {
  // Without the potential energy in the gas's field, whose change is the work of the points' motion and of the gas's.
  return point_totals(points, {}, false).energy - point_totals(start_, {}, false).energy + by_gas.work + grid_energy_;
}

}  // namespace rednova::step
