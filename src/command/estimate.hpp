// How many steps a run will take and how much memory, as ranges.
#pragma once

#include <string>

#include "config/parameters.hpp"
#include "problem/outline.hpp"

namespace rednova::command {

/// Steps of a run; likely: if mesh and dt stay as they are at the start.
struct step_range {
  double low = 0, likely = 0, high = 0;
};

enum class dt_is { measured, outlined };

/// `time` left in steps of dt, or what run.max_steps leaves; infinite where nothing ends the run by either.
step_range steps_of(const config::parameters& par, double time, double orbits, double dt, dt_is how);

/// "320 to 1440 steps, likely 800".
std::string words(const step_range& steps);

/// Prints blocks, steps and memory of a run that begins so; where the model is iterated for, that they are rougher.
void print_estimate(const config::parameters& par, const problem::outline& begin);

}  // namespace rednova::command
