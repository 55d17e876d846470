// An initial model on its mesh, and what was reached in it.
#pragma once

#include <array>
#include <utility>

#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/tree.hpp"

namespace rednova::stellar {

/// Fields of a model on leaves. Star 0 is the accretor, star 1 the donor; a single star is star 0.
enum model_field {
  core_of_0 = 0,  ///< partial mass densities
  envelope_of_0 = 1,
  core_of_1 = 2,
  envelope_of_1 = 3,
  model_pressure = 4,
  model_potential = 5,  ///< gravitational, as gravity::solver gives it
  model_fields = 6
};

/// Sums over one star.
struct star_figures {
  double mass = 0;
  double core_mass = 0;
  double centre = 0;   ///< x of the mass centre
  double spin = 1;     ///< its rate of rotation in the inertial frame over the orbit's; 1: synchronous
  double inertia = 0;  ///< about its own axis through that centre, parallel to z
  double radius = 0;   ///< of the sphere with its volume
  double filling = 0;  ///< radius over that of its Roche lobe
  double entropy = 0;  ///< K = p / rho^(1 + 1/n) of its envelope; of a barotrope the factor of its pressures
  double omega2 = 0;  ///< Omega² of the orbit on which the net force on it keeps its distance (stellar/star_forces.hpp)
};

struct model {
  explicit model(mesh::tree t) : tree(std::move(t)), cells(tree.leaves(), model_fields) {}

  mesh::tree tree;
  mesh::block_data cells;  ///< [leaves][model_fields]
  double omega = 0;        ///< angular velocity of the rotation about z
  std::array<star_figures, 2> star;
  double trim = 0;     ///< of a binary: the force that makes up for the mesh, over the orbit's (docs/initial_models.md)
  double fillout = 0;  ///< (Phi_L1 - C) / (Phi_L1 - Phi_L2): contact filling, negative where detached;
                       ///< where stars are not synchronous, of the star that is nearer to its own L1
  double kinetic = 0;  ///< T
  double potential = 0;  ///< W
  double pressure = 0;   ///< Pi, the volume integral of p
  int iterations = 0;
  double change = 1;  ///< of the density in the last iteration: integral of |difference| over the mass

  double density(int leaf, int cell) const {
    double sum = 0;
    for (int f = core_of_0; f <= envelope_of_1; ++f) sum += cells.at(leaf, f)[cell];
    return sum;
  }
  /// |2T + W + 3 Pi| / |W|, zero in equilibrium (Hachisu 1986).
  double virial_error() const;
  /// |Omega² - Omega²_force| / Omega² of a binary's star: how far the rotation is from balancing the net force on it.
  double balance_error(std::size_t s) const;
  double separation() const { return star[1].centre - star[0].centre; }
  double orbital_angular_momentum() const;
  double spin_angular_momentum() const;
};

/// Fills the sums of the model (mass, core_mass, centre, inertia, T, W, Pi) from its cells; the kinetic energy is
/// that of the stars' motion about z and of rigid rotation, each at its own rate.
void sum_up(exec::context& context, model& m);

}  // namespace rednova::stellar
