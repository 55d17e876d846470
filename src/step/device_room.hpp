// Whether a mesh fits into a device's memory: asked before anything is put there.
#pragma once

#include "config/parameters.hpp"
#include "exchange/said_by_all.hpp"
#include "mesh/tree.hpp"
#include "step/simulation.hpp"

namespace rednova::step {

/// Bytes that a step on a device needs for so many leaves, at least: fields, buffers and gravity, without what the
/// kernels' tables and the driver take.
double least_device_memory(const config::parameters& p, double leaves);

/// The deepest level at which a tree, were it cut there, would fit, or such a part of it; -1: none.
int deepest_level_that_fits(const config::parameters& p, const mesh::tree& t, double part, double memory);

/// A mesh is too large for a device: nothing has been done with it yet.
class no_room : public exchange::said_by_all {
 public:
  using said_by_all::said_by_all;
};

/// no_room where a rank's share of the tree does not fit into its device's `memory` bytes; it names the largest
/// mesh.max_level that would. All ranks call it. images: blocks of other ranks' that it stores.
void expect_device_room(const simulation& s, const mesh::tree& t, const mesh::share& own, double images, double memory);
/// The same for the tree that the simulation has.
void expect_device_room(const simulation& s, double memory);
/// Blocks of other ranks' that the simulation stores.
double stored_images(const simulation& s);

}  // namespace rednova::step
