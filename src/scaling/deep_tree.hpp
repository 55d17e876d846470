// The mesh of a finer run, built without its fields: from a coarser model that is interpolated.
#pragma once

#include "mesh/tree.hpp"
#include "step/simulation.hpp"

namespace rednova::scaling {

/// The tree that [refine] asks for at a finer mesh.max_level, by the densities of a model on a coarser mesh.
///
/// The levels that are added go to the cores where the model's [refine] has core levels, else to the density rule.
/// Densities are linear between cell centres. The rule for gradients has no say beyond the model's own mesh, since
/// interpolation has no more of them. Eight bytes a block and the tree itself, some 0.2 kB a block, are what it takes.
///
/// Contract: max_level is the model's at least, and at most 20.
mesh::tree deepened(const step::simulation& model, int max_level);

}  // namespace rednova::scaling
