// Gravity's sweeps between blocks and their parents on a device, each alone.
#pragma once

#include "exec/cuda/array.hpp"
#include "gravity/sweeps.hpp"

namespace rednova::bench {

/// Random numbers of 4³ parents and their 8³ children, which are refined blocks or leaves.
class sweeps {
 public:
  static constexpr int parents = 64, children = 8 * parents;

  sweeps(const exec::cuda::context& context, int order);
  /// Entries of the translations between a cell and a child, the mean of its eight.
  double entries() const { return static_cast<double>(up_.size()) / 8; }

  /// M2M of the parents.
  void add_up(const exec::cuda::context& context);
  /// L2L and torques of refined children.
  void down(const exec::cuda::context& context);
  /// L2P and torques of children that are leaves, with units.
  void set(const exec::cuda::context& context);

 private:
  gravity::parent_blocks from_parents() const;

  int numbers_;
  exec::cuda::array<gravity::matrix_entry> up_, down_;
  exec::cuda::array<int> up_starts_, down_starts_;
  exec::cuda::array<gravity::either_block> children_;
  exec::cuda::array<gravity::child_of> parents_;
  exec::cuda::array<gravity::leaf_block> leaves_;
  exec::cuda::array<double> moments_, expansions_, torques_, masses_, fields_, result_;
};

}  // namespace rednova::bench
