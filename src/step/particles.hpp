// Tracer particles: points without mass that the gas carries along, so that one can ask where gas came from and what it
// has gone through. All ranks know where all of them are; the owner of a leaf knows how fast its gas moves.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "config/parameters.hpp"
#include "core/vec3.hpp"
#include "mesh/tree.hpp"

namespace rednova::step {

class simulation;

struct tracer_particle {
  core::vec3d position;  ///< along the grid's axes; of one that has left where it was then
  double left = std::numeric_limits<double>::infinity();  ///< when it left the domain

  bool inside() const { return left == std::numeric_limits<double>::infinity(); }
};

/// The particles of config::tracers in gas that fills simulation::u() of own leaves: each stands for the same mass of
/// the species that are asked for. They follow each other along the curve, at equal steps of mass, and lie at random
/// within their cells. The same on any number of ranks, all of which call it; a user_error where there is no such gas.
std::vector<tracer_particle> sow_particles(const simulation& s);

/// The leaf that holds each particle; mesh::no_block of one that has left.
std::vector<int> leaves_of(const mesh::tree& t, const std::vector<tracer_particle>& particles);

/// Numbers of the particles in this rank's leaves, leaf by leaf. leaves: leaves_of().
std::vector<std::size_t> own_particles(const simulation& s, const std::vector<int>& leaves);

/// Velocity of the gas at each particle, with components along the grid's axes, by interpolation between cells; zero of
/// one that has left. All ranks call it, and get all.
std::vector<core::vec3d> gas_velocities(const simulation& s, const std::vector<tracer_particle>& particles);

/// Their motion in one step, by Heun's method: with the mean of the gas's velocities where a particle is at the step's
/// start, and where it would be at its end with that.
class particle_motion {
 public:
  /// At the step's start.
  particle_motion(const simulation& s, const std::vector<tracer_particle>& particles);

  /// When the step's end, dt later at the time `ends`, has its fields. One that passes the domain's side is gone, but
  /// where that is periodic or reflecting.
  void finish(const simulation& s, double dt, double ends, std::vector<tracer_particle>& particles) const;

 private:
  std::vector<core::vec3d> start_;  // velocities on the grid
};

}  // namespace rednova::step
