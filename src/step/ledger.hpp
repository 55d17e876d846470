// The ledger of the conserved quantities: on the grid, through the boundary, by floors, by regridding.
#pragma once

#include <array>
#include <vector>

#include "core/vec3.hpp"
#include "hydro/unbound.hpp"
#include "mesh/block.hpp"

namespace rednova::step {

/// One value for each conserved quantity. Vectors are in the inertial frame, angular momentum about the
/// domain's origin and with the cells' spin; energy is kinetic + internal + potential.
struct totals {
  std::vector<double> species;  ///< mass of each
  core::vec3d momentum;
  core::vec3d angular_momentum;
  double energy = 0;
  core::vec3d spin;  ///< of the angular momentum, what the cells' own spin holds

  totals() = default;
  explicit totals(int n_species) : species(static_cast<std::size_t>(n_species), 0.0) {}
  /// From numbers in the order of the members.
  totals(const double* numbers, int n_species);
  double mass() const;
  totals& operator+=(const totals& b);
  /// this + factor * b
  totals& add(double factor, const totals& b);
  /// The angular momentum of the flow: of the momenta alone, without the cells' spin.
  core::vec3d flow() const { return angular_momentum - spin; }
  /// Turns the vectors about z by an angle. Not inline: gcc 12 fuses products with sums here, whatever it is told, and
  /// so does it alike for all who call this.
  void rotate(double cosine, double sine);
  totals rotated(double angle) const;
};

/// Components of totals after the species: momentum (3), angular momentum (3), energy, spin (3).
inline constexpr int vector_and_energy = 10;

struct ledger {
  totals initial;                           ///< on the grid at time 0
  totals grid;                              ///< on the grid now
  totals magnitude;                         ///< sums of absolute values of terms on the grid, the scale of `relative`
  std::array<totals, mesh::faces> outflow;  ///< left through each side of the domain
  totals floors;                            ///< added by floors
  totals regrid;                            ///< added by adapting the mesh
  totals points;                            ///< energy added by integrating point masses
  totals driven;                            ///< momentum, angular momentum and energy added by driving the orbit
  /// Of the mass that left through the domain's sides, what came out of cells with unbound gas; zero without gravity.
  hydro::unbound_masses unbound_outflow{};
  /// Of the outflow, what light took along; zero without radiation.
  struct {
    double energy = 0;
    core::vec3d momentum, angular_momentum;
  } radiated;
  double luminosity = 0;  ///< energy that light took along in the last step, by time; not in checkpoints

  ledger() = default;
  /// Nothing of any of the species yet.
  explicit ledger(int n_species)
      : initial(n_species),
        grid(n_species),
        magnitude(n_species),
        floors(n_species),
        regrid(n_species),
        points(n_species),
        driven(n_species) {
    outflow.fill(totals(n_species));
  }

  /// grid - initial + outflow - floors - regrid - points - driven: rounding, if the code is right. Spin has no law of
  /// its own: what is left over of it was exchanged with the flow, whose own drift is -remainder().spin where J is
  /// conserved.
  totals remainder() const;
  totals total_outflow() const;
};

}  // namespace rednova::step
