// Point masses: what is not resolved as gas, such as the core of a giant or a compact companion. Gas and points pull
// each other through a softened field (gravity/softened_point.hpp), with equal and opposite forces of each pair of cell
// and point along the line between them.
#pragma once

#include "config/parameters.hpp"
#include "core/vec3.hpp"
#include "exec/macros.hpp"

namespace rednova::step {

struct point_mass {
  double mass = 0;
  double softening = 0;    ///< radius of the spline, from which on the field is that of a point
  core::vec3d position;    ///< along the grid's axes
  core::vec3d momentum{};  ///< of the inertial frame, with components along the grid's axes

  core::vec3d velocity() const { return (1 / mass) * momentum; }
};

inline constexpr int max_point_masses = config::point_masses::most;

struct point_masses {
  int count = 0;
  point_mass of[max_point_masses]{};

  REDNOVA_FN const point_mass& operator[](int k) const { return of[k]; }
  point_mass& operator[](int k) { return of[k]; }
  const point_mass* begin() const { return of; }
  const point_mass* end() const { return of + count; }
  /// Contract: there is room for one more.
  void add(const point_mass& p) { of[count++] = p; }
};

/// What the gas does to each point.
struct gas_pulls {
  core::vec3d force[max_point_masses]{};
  double energy[max_point_masses]{};  ///< potential energy of the point in the gas's field: sum of m phi_k over cells
  /// Work that the points' motion against the grid has done on the gas's potential energy in the last step: the sum
  /// over cells and points of the mean of m at its start and end times the change of phi_k.
  double work = 0;
};

/// Numbers of a leaf that make gas_pulls.
REDNOVA_FN constexpr int numbers_of_pulls(int points) { return points == 0 ? 0 : 4 * points + 1; }

}  // namespace rednova::step
