// The books of the conserved quantities: on the grid, through the boundary, by floors, by regridding.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "mesh/block.hpp"

namespace rednova::step {

/// One value for each conserved quantity. Vectors are in the inertial frame, angular momentum about the
/// domain's origin and with the cells' spin; energy is kinetic + internal + potential.
struct totals {
  std::vector<double> species;  ///< mass of each
  core::vec3d momentum;
  core::vec3d angular_momentum;
  double energy = 0;

  totals() = default;
  explicit totals(int n_species) : species(static_cast<std::size_t>(n_species), 0.0) {}
  /// From numbers in the order of the members.
  totals(const double* numbers, int n_species);
  double mass() const;
  totals& operator+=(const totals& b);
  /// this + factor * b
  totals& add(double factor, const totals& b);
  /// Momentum and angular momentum turned about z by an angle.
  totals rotated(double angle) const;
};

/// Components of totals after the species: momentum (3), angular momentum (3), energy.
inline constexpr int vector_and_energy = 7;

struct ledger {
  totals initial;                           ///< on the grid at time 0
  totals grid;                              ///< on the grid now
  totals magnitude;                         ///< sums of absolute values on the grid, the scale of `relative`
  std::array<totals, mesh::faces> outflow;  ///< left through each side of the domain
  totals floors;                            ///< added by floors
  totals regrid;                            ///< added by adapting the mesh

  ledger() = default;
  /// Nothing of any of the species yet.
  explicit ledger(int n_species)
      : initial(n_species), grid(n_species), magnitude(n_species), floors(n_species), regrid(n_species) {
    outflow.fill(totals(n_species));
  }

  /// grid - initial + outflow - floors - regrid: rounding, if the code is right.
  totals remainder() const;
  totals total_outflow() const;
};

}  // namespace rednova::step
