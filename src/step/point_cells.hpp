// Point masses and the gas of a leaf: the field that cells feel, and the forces that they give back.
#pragma once

#include <cstddef>

#include "core/compensated.hpp"
#include "gravity/result_field.hpp"
#include "gravity/softened_point.hpp"
#include "hydro/primitives.hpp"
#include "step/batch.hpp"
#include "step/point_masses.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// The field of a point mass at a place.
struct point_field {
  double potential;
  core::vec3d acceleration;
};

REDNOVA_FN point_field field_of(const point_mass& p, const core::vec3d& x) {
  const core::vec3d away{x.x - p.position.x, x.y - p.position.y, x.z - p.position.z};
  const double one_over_h = 1 / p.softening;
  const gravity::softened_field<double> unit = gravity::softened_at(exec::sqrt(dot(away, away)) * one_over_h);
  const double strength = p.mass * one_over_h;
  const double pull = strength * one_over_h * one_over_h * unit.pull;
  return {strength * unit.potential, {-pull * away.x, -pull * away.y, -pull * away.z}};
}

/// A row of numbers_of_pulls for each row of cells of own leaves: [own leaf][number][row of cells].
struct pull_rows {
  double* values;
  int first_leaf, numbers;

  REDNOVA_FN double& at(int leaf, int number, int row) const {
    return values[(static_cast<std::ptrdiff_t>(leaf - first_leaf) * numbers + number) * rows_of_leaf + row];
  }
};

/// For each row of a leaf, after the gas's own gravity: adds the points' potential and acceleration, and notes what the
/// row does to each point. The gas takes rho g of a cell at each pull; the points take the same with the opposite sign.
struct point_gravity_rows {
  state_view s;
  point_masses points;
  pull_rows rows;

  REDNOVA_FN void operator()(const batch_item& at) const {
    constexpr int N = mesh::N;
    const int first = at.number * N;
    const double h = s.tree.cell_width(at.leaf), volume = h * h * h;
    const double* rho = s.work_inputs.at(at.leaf, work_density) + first;
    double* result[4];
    for (int i = 0; i < 4; ++i) result[i] = s.gravity.at(at.leaf, i) + first;
    const core::vec3d start = s.tree.centre(at.leaf, first);
    for (int k = 0; k < points.count; ++k) {
      double force[3]{}, energy = 0;
      for (int i = 0; i < N; ++i) {
        const point_field f = field_of(points[k], {start.x + i * h, start.y, start.z});
        const double mass = volume * rho[i];
        result[gravity::potential][i] += f.potential;
        energy += mass * f.potential;
        for (int d = 0; d < 3; ++d) {
          result[gravity::acceleration + d][i] += f.acceleration[d];
          force[d] -= mass * f.acceleration[d];
        }
      }
      for (int d = 0; d < 3; ++d) rows.at(at.leaf, 4 * k + d, at.number) = force[d];
      rows.at(at.leaf, 4 * k + 3, at.number) = energy;
    }
  }
};
static_assert(gravity::potential == 0 && gravity::acceleration == 1);

/// For each row of a leaf, at the end of a step: gas_pulls::work.
struct point_work_rows {
  state_view s;
  point_masses before, now;  ///< at the start of the step and at its end
  pull_rows rows;

  REDNOVA_FN void operator()(const batch_item& at) const {
    constexpr int N = mesh::N;
    const int first = at.number * N;
    const double h = s.tree.cell_width(at.leaf), volume = h * h * h;
    const double* rho = s.work_inputs.at(at.leaf, work_density) + first;
    const double* rho_before = s.start.at(at.leaf) + first;
    const core::vec3d start = s.tree.centre(at.leaf, first);
    double work = 0;
    for (int i = 0; i < N; ++i) {
      const double twice_mass =
          volume * (rho[i] + hydro::mass_density<double>(rho_before + i, mesh::cells, s.fields.species()));
      const core::vec3d x{start.x + i * h, start.y, start.z};
      for (int k = 0; k < now.count; ++k)
        work += 0.5 * twice_mass * (field_of(now[k], x).potential - field_of(before[k], x).potential);
    }
    rows.at(at.leaf, rows.numbers - 1, at.number) = work;
  }
};

/// For numbers of a leaf from `first` on: adds its rows up in their order, with compensation.
struct add_pull_rows {
  pull_rows rows;
  int first;
  core::compensated* pulls;  ///< [own leaf][numbers_of_pulls]

  REDNOVA_FN void operator()(const batch_item& at) const {
    const int number = first + at.number;
    core::compensated sum;
    for (int row = 0; row < rows_of_leaf; ++row) sum += rows.at(at.leaf, number, row);
    pulls[static_cast<std::ptrdiff_t>(at.leaf - rows.first_leaf) * rows.numbers + number] = sum;
  }
};

}  // namespace rednova::step
