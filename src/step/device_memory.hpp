// Whether a mesh fits into a device's memory: asked before anything is put there.
#pragma once

#include "config/parameters.hpp"
#include "exchange/collective_error.hpp"
#include "mesh/tree.hpp"
#include "step/simulation.hpp"
#include "step/stepper.hpp"

namespace rednova::step {

/// Bytes that a step on a device needs for so many leaves, at least: fields, buffers and gravity, without what the
/// kernels' tables and the driver take.
double least_device_memory(const config::parameters& p, double leaves);

/// The deepest level at which a tree, were it cut there, would fit, or such a part of it; -1: none.
int deepest_level_that_fits(const config::parameters& p, const mesh::tree& t, double part, double memory);

/// A mesh is too large for a device: nothing has been done with it yet.
class no_memory : public exchange::collective_error {
 public:
  using collective_error::collective_error;
};

/// no_memory where the tree that the simulation has does not fit into its device's `memory` bytes; it names the largest
/// mesh.max_level that would. All ranks call it.
void expect_device_memory(const simulation& s, double memory);

/// no_memory where there is none for a change of the tree: for fields on their way beside the present mesh, which holds
/// `held` bytes and leaves `free`, or for the next mesh instead. All ranks call it.
void expect_memory_for_change(const simulation& s, const tree_change& to, double free, double held);

}  // namespace rednova::step
