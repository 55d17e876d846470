// The part of `rednova check` that looks ahead to more ranks and finer meshes.
#pragma once

#include "command/command.hpp"
#include "command/scaling_model.hpp"
#include "step/simulation.hpp"

namespace rednova::command {

/// What blocks cost, from the clock of the phases since it was cleared: one step that took so many seconds of wall
/// time. Gravity's sweeps over refined nodes and restriction go to those, all the rest to the leaves.
block_costs costs_of(const step::simulation& s, double seconds);

/// Prints the trees that are asked for (or the simulation's own), and what a step takes on each number of ranks.
void print_outlook(const step::simulation& s, const block_costs& costs, const outlook& asked);

/// Blocks and cells of each level.
void print_levels(const mesh::tree& t);
/// The most memory that this process has held so far, in bytes.
double peak_memory();

}  // namespace rednova::command
