// The formulas of the upward and downward passes for lanes<T> cells.
#pragma once

#include "core/vec3.hpp"
#include "exec/simd.hpp"
#include "gravity/lattice.hpp"
#include "gravity/result_field.hpp"

namespace rednova::gravity {

/// 1/M of a cell, by which its torque is handed down in proportion to mass; 0 where M is 0.
template <class T>
REDNOVA_FN T inverse_mass(const T& mass) {
  return exec::select(mass != 0, T(1 / mass), T(0.0));
}

/// torque_of_child plus the child's part of its parent's torque, of which per_mass is handed down. The parent's unit
/// m²/h is half the child's.
template <class T>
REDNOVA_FN T add_torque(const T& per_mass, const T& mass, const T& torque_of_child) {
  return torque_of_child + 0.5 * per_mass * mass;
}

/// Mass of each ghost child of a cell.
template <class T>
REDNOVA_FN T ghost_mass(const T& mass) {
  return 0.125 * mass;
}

/// potential_of_cell plus the part of a smooth cell's own mass (lattice.hpp).
template <class T>
REDNOVA_FN T add_own_potential(const T& mass, const T& potential_of_cell) {
  return potential_of_cell - own_potential * mass;
}

/// Factor that converts a field (result_field) of a leaf with cells of width h from units of its level to those of
/// G = 1. Torques are still those of cells, not of volumes.
REDNOVA_FN double unit_of(int field, double h) {
  return field >= acceleration && field < torque ? -1 / (h * h) : 1 / h;
}

/// The contribution of one ghost child to the fields of its cell.
template <class T>
struct ghost_fields {
  T potential;
  core::vec3<T> acceleration, torque;
};

/// Ghost child `octant` of width h and mass m: its share of the means of potential and acceleration, and the torque of
/// its force about the cell's centre. phi, gradient: in units of its level.
template <class T>
REDNOVA_FN ghost_fields<T> fields_of_ghost(int octant, double h, const T& m, const T& phi,
                                           const core::vec3<T>& gradient) {
  const auto side = [&](int d) { return T((octant >> d & 1) != 0 ? 0.5 * h : -0.5 * h); };
  const core::vec3<T> g{-gradient.x / (h * h), -gradient.y / (h * h), -gradient.z / (h * h)};
  const core::vec3<T> turn = core::cross({side(0), side(1), side(2)}, g);
  return {0.125 * phi / h, 0.125 * g, m * turn};
}

}  // namespace rednova::gravity
