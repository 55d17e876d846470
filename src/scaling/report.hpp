// The part of `rednova check` that looks ahead to more ranks and finer meshes.
#pragma once

#include <vector>

#include "scaling/model.hpp"
#include "step/simulation.hpp"

namespace rednova::scaling {

/// What check is to say about runs on more ranks.
struct outlook {
  std::vector<int> ranks;  ///< numbers of ranks
  std::vector<int> trees;  ///< values of mesh.max_level whose meshes are built without fields
  network net;
  bool wanted() const { return !ranks.empty() || !trees.empty(); }
};

/// What blocks cost, from the clock of the phases since it was cleared: one step that took so many seconds of wall
/// time. Gravity's sweeps over refined nodes and restriction go to those, all the rest to the leaves.
block_costs costs_of(const step::simulation& s, double seconds);

/// Prints the trees that are asked for (or the simulation's own), and what a step takes on each number of ranks.
void print_outlook(const step::simulation& s, const block_costs& costs, const outlook& asked);

/// Blocks and cells of each level.
void print_levels(const mesh::tree& t);
/// The most memory that this process has held so far, in bytes.
double peak_memory();

}  // namespace rednova::scaling
