// Whether a mesh fits into a device's memory: asked before anything is put there.
#pragma once

#include "config/parameters.hpp"
#include "mesh/tree.hpp"
#include "step/simulation.hpp"

namespace rednova::step {

/// Bytes that a step on a device needs for so many leaves, at least: fields, buffers and gravity, without what the
/// kernels' tables and the driver take.
double least_device_memory(const config::parameters& p, double leaves);

/// The deepest level at which a tree, were it cut there, would fit, or such a part of it; -1: none.
int deepest_level_that_fits(const config::parameters& p, const mesh::tree& t, double part, double memory);

/// A user_error, said by all ranks, where a rank's share of the tree does not fit into its device's `memory` bytes; it
/// names the largest mesh.max_level that would.
void expect_device_room(const simulation& s, double memory);

}  // namespace rednova::step
