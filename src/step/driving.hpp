// Driving: angular momentum is taken out of the orbit of two stars, or put into it, at a given rate. So mass transfer
// is brought about in hours what radiation of gravitational waves or a magnetic wind would take ages for (Motl et al.
// 2017, ApJS 229, 27).
#pragma once

#include "step/driving_cells.hpp"
#include "step/ledger.hpp"
#include "step/simulation.hpp"
#include "step/star_motions.hpp"

namespace rednova::step {

/// Changes of the stars' velocities that turn the line between their mass centres faster by `faster` about z and leave
/// their common momentum as it is.
star_velocities turned_faster(const star_motions& stars, double faster);

/// Whether the next step is driven: the input asks for it, there are two stars, and driving.orbits have not passed.
bool is_driven(const simulation& s);

/// Between the last stage and stepper::complete(): in a step of length dt, takes rate J omega dt/(2 pi) of the orbital
/// angular momentum J, omega = J/(mu d²) the angular velocity of the stars' mass centres. ends: time of the step's end.
/// Returns what the gas has gained, in the inertial frame.
totals drive(const simulation& s, double dt, double ends);

}  // namespace rednova::step
