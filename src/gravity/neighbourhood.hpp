// The sources around a target block, copied together: what the convolutions read.
#pragma once

#include <array>
#include <cstdint>

#include "exec/array.hpp"
#include "gravity/convolve.hpp"
#include "gravity/source_block.hpp"
#include "gravity/stencil.hpp"

namespace rednova::gravity {

/// Scratch memory of a thread. Planes run from -2 reach to N + 2 reach - 1.
class neighbourhood {
 public:
  /// Copies `numbers` numbers of each source cell within `reach` parents of the block. A source with fewer
  /// numbers has zeros for the rest: it is a block of point masses.
  void gather(const std::array<source_block, mesh::sides>& sources, int numbers, int reach);

  /// The nine neighbours in a plane that have sources with all numbers, and with mass alone: bits 3 y + x.
  int full(int plane) const { return full_[plane_index(plane)]; }
  int masses(int plane) const { return masses_[plane_index(plane)]; }

  /// Sources of a group of classes at the planes z + c and z - c as the stencil's plane wants them, with the first
  /// `numbers` numbers of each cell. What it points to holds until the next call.
  slab fetch(int z, const stencil& of, const stencil_plane& plane, int group, int numbers);

 private:
  std::size_t plane_index(int plane) const { return index(plane + 2 * reach_); }
  const double* raw(int plane, int source_class) const;
  bool empty(int plane) const { return (full(plane) | masses(plane)) == 0; }
  template <int Width>
  void copy_plane(const std::array<source_block, mesh::sides>& sources, int plane);

  int numbers_ = 0, reach_ = 0;
  std::vector<int> full_, masses_;
  exec::array<double> values_;  // [plane][class] slabs
  exec::array<double> zero_;    // a plane of slabs of nothing
  exec::array<double> even_, odd_;
};

}  // namespace rednova::gravity
