// What the sweeps do to a cell, or to lanes<T> cells side by side: for packs on the processor (sweeps.cpp,
// leaf_cells.cpp) and for the threads of a device (sweep_cells.hpp).
#pragma once

#include "core/vec3.hpp"
#include "exec/simd.hpp"
#include "gravity/lattice.hpp"
#include "gravity/layout.hpp"
#include "gravity/operators.hpp"
#include "gravity/result_field.hpp"

namespace rednova::gravity {

/// sum += entry · from for N · lanes<T> cells side by side; a cell's numbers lie HH apart.
template <class T, int N>
REDNOVA_FN void add_entry(const matrix_entry& e, const double* from, T (&sum)[N]) {
  for (int i = 0; i < N; ++i) sum[i] += e.value * exec::load<T>(from + e.column * HH + i * exec::lanes<T>);
}

/// 1/M of a cell, by which its torque is handed down in proportion to mass; 0 where there is none.
REDNOVA_FN double inverse_mass(double mass) { return mass != 0 ? 1 / mass : 0; }

/// Adds a child's part of its parent's torque, of which per_mass is handed down. The parent's unit m²/h is half the
/// child's.
REDNOVA_FN void add_torque(double per_mass, double mass, double& torque_of_child) {
  torque_of_child += 0.5 * per_mass * mass;
}

/// Mass of each virtual child of a cell.
REDNOVA_FN double virtual_mass(double mass) { return 0.125 * mass; }

/// Adds to a cell's potential what its own mass, and its being no point, does.
REDNOVA_FN void add_own_potential(double mass, double& potential_of_cell) { potential_of_cell -= own_potential * mass; }

/// Factor that brings a field (result_field) of a leaf with cells of width h from units of its level to those of G = 1.
/// Torques are still those of cells, not of volumes.
REDNOVA_FN double unit_of(int field, double h) {
  return field >= acceleration && field < torque ? -1 / (h * h) : 1 / h;
}

/// What a cell feels of what one of its virtual children does.
template <class T>
struct felt {
  T potential;
  core::vec3<T> acceleration, torque;
};

/// Child `octant` of width h and mass m: its share of the means, and the torque of its force about the cell's centre.
template <class T>
REDNOVA_FN felt<T> felt_by_child(int octant, double h, const T& m, const T& phi, const core::vec3<T>& gradient) {
  const auto side = [&](int d) { return T((octant >> d & 1) != 0 ? 0.5 * h : -0.5 * h); };
  const core::vec3<T> g{-gradient.x / (h * h), -gradient.y / (h * h), -gradient.z / (h * h)};
  const core::vec3<T> turn = core::cross({side(0), side(1), side(2)}, g);
  return {0.125 * phi / h, 0.125 * g, m * turn};
}

}  // namespace rednova::gravity
