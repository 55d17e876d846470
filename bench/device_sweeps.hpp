// Gravity's sweeps between blocks and their parents on a device, each alone.
#pragma once

#include "exec/cuda/array.hpp"
#include "gravity/sweep_cells.hpp"

namespace rednova::bench {

/// Random numbers of 4³ parents and their 8³ children, which are refined blocks or leaves.
class sweeps {
 public:
  static constexpr int parents = 64, children = 8 * parents;

  sweeps(const exec::cuda::context& where, int order);
  /// Entries of the translations between a cell and a child, the mean of its eight.
  double entries() const { return static_cast<double>(up_.size()) / 8; }

  void lift(const exec::cuda::context& where);
  void sink(const exec::cuda::context& where);
  void end(const exec::cuda::context& where);

 private:
  int numbers_;
  exec::cuda::array<gravity::matrix_entry> up_, down_;
  exec::cuda::array<int> up_starts_, down_starts_;
  exec::cuda::array<gravity::either_block> children_;
  exec::cuda::array<gravity::child_of> parents_;
  exec::cuda::array<gravity::leaf_end> ends_;
  exec::cuda::array<double> moments_, expansions_, torques_, masses_, fields_, result_;
};

}  // namespace rednova::bench
