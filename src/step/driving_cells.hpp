// Driving of a binary's orbit, in the loops over leaves (batch.hpp): how the gas that each star brought along moves as
// a whole, and a change of both velocities.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/compensated.hpp"
#include "hydro/primitives.hpp"
#include "step/batch.hpp"
#include "step/stars.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// Changes of the velocities of accretor and donor, with components along the grid's axes.
struct star_velocities {
  core::vec3d of[2]{};
};

/// Numbers of a leaf: of each star its mass, sum of m x (3) and momentum (3).
inline constexpr int numbers_of_motion = 7, numbers_of_motions = 2 * numbers_of_motion;
/// Numbers of a leaf: what it gains of momentum (3), angular momentum (3) and energy.
inline constexpr int numbers_of_gains = 7;

/// Partial density of a star's species in a cell. u: its first species.
REDNOVA_FN double density_of_star(const double* u, int species, std::uint64_t bits) {
  double rho = 0;
  for (int k = 0; k < species; ++k) {
    if ((bits >> k & 1) != 0) rho += u[k * mesh::cells];
  }
  return rho;
}

/// Where the numbers of a batch's rows of cells stand: [position][number][row].
struct numbers_of_rows {
  double* values;
  int numbers;

  REDNOVA_FN double& at(const batch_item& row, int number) const {
    return values[(static_cast<std::ptrdiff_t>(row.position) * numbers + number) * rows_of_leaf + row.number];
  }
};

/// For each row of a leaf: numbers_of_motions of it. A star's share of a cell's momentum is that of its mass.
struct motion_rows {
  state_view s;
  star_species stars;
  numbers_of_rows rows;

  REDNOVA_FN void operator()(const batch_item& at) const {
    constexpr int N = mesh::N;
    const int first = at.number * N, species = s.fields.species();
    const double h = s.tree.cell_width(at.leaf), volume = h * h * h;
    const core::vec3d start = s.tree.centre(at.leaf, first);
    const double* u = s.u.at(at.leaf) + first;
    for (int star = 0; star < 2; ++star) {
      double sum[numbers_of_motion]{};
      for (int i = 0; i < N; ++i) {
        const double rho = density_of_star(u + i, species, stars.bits[static_cast<std::size_t>(star)]);
        const double mass = volume * rho;
        const double share = mass / hydro::mass_density<double>(u + i, mesh::cells, species);
        sum[0] += mass;
        sum[1] += mass * (start.x + i * h);
        for (int d = 0; d < 3; ++d) sum[4 + d] += share * u[s.fields.momentum(d) * mesh::cells + i];
      }
      sum[2] = sum[0] * start.y;
      sum[3] = sum[0] * start.z;
      for (int n = 0; n < numbers_of_motion; ++n) rows.at(at, star * numbers_of_motion + n) = sum[n];
    }
  }
};

/// For each row of a leaf: changes the velocity of each star's gas, and notes numbers_of_gains of the row. A cell holds
/// one momentum, which gains rho_k v_k of each star k; its energy gains the work, so that its heat stays what it is.
/// Its spin stays, too.
struct drive_rows {
  state_view s;
  star_species stars;
  star_velocities by;
  numbers_of_rows rows;

  REDNOVA_FN void operator()(const batch_item& at) const {
    constexpr int N = mesh::N;
    const int first = at.number * N, species = s.fields.species();
    const double h = s.tree.cell_width(at.leaf), volume = h * h * h;
    const core::vec3d start = s.tree.centre(at.leaf, first);
    double* const u = s.u.at(at.leaf) + first;
    double gains[numbers_of_gains]{};
    for (int i = 0; i < N; ++i) {
      const double accretor = density_of_star(u + i, species, stars.bits[0]);
      const double donor = density_of_star(u + i, species, stars.bits[1]);
      if (!(accretor + donor > 0)) continue;
      const double rho = hydro::mass_density<double>(u + i, mesh::cells, species);
      core::vec3d gain;
      double work = 0;
      for (int d = 0; d < 3; ++d) {
        double& momentum = u[s.fields.momentum(d) * mesh::cells + i];
        gain[d] = accretor * by.of[0][d] + donor * by.of[1][d];
        work += gain[d] * (momentum + 0.5 * gain[d]);
        momentum += gain[d];
      }
      work /= rho;
      u[s.fields.energy() * mesh::cells + i] += work;
      const core::vec3d torque = cross(core::vec3d{start.x + i * h, start.y, start.z}, gain);
      for (int d = 0; d < 3; ++d) {
        gains[d] += volume * gain[d];
        gains[3 + d] += volume * torque[d];
      }
      gains[6] += volume * work;
    }
    for (int n = 0; n < numbers_of_gains; ++n) rows.at(at, n) = gains[n];
  }
};

/// For each of a leaf's numbers: adds its rows, in their order, with compensation.
struct add_numbers_of_rows {
  numbers_of_rows rows;
  int first_leaf, stride;   ///< numbers from one leaf to the next in `sums`
  core::compensated* sums;  ///< [own leaf][stride]

  REDNOVA_FN void operator()(const batch_item& at) const {
    core::compensated sum;
    for (int row = 0; row < rows_of_leaf; ++row) sum += rows.at({at.position, at.leaf, row}, at.number);
    sums[static_cast<std::ptrdiff_t>(at.leaf - first_leaf) * stride + at.number] = sum;
  }
};

}  // namespace rednova::step
