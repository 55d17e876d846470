// The interactions on a level on a device (gravity/interactions.hpp has the processor's): each launch works on many
// blocks, and all pointers are the device's.
#pragma once

#include "exec/cuda/array.hpp"
#include "gravity/finish.hpp"
#include "gravity/records.hpp"
#include "gravity/source_block.hpp"

namespace rednova::gravity::cuda {

/// Records in a device's memory.
class device_records {
 public:
  device_records(const exec::cuda::context& context, const records& all);
  int reach() const { return reach_; }
  const records::span* ranges() const { return ranges_.data(); }
  const double* values() const { return values_.data(); }
  std::size_t bytes() const { return ranges_.size() * sizeof(records::span) + values_.size() * sizeof(double); }

 private:
  int reach_;
  exec::cuda::array<records::span> ranges_;
  exec::cuda::array<double> values_;
};

/// P2P. Sources and fields: see far_field; sources have one number a cell.
class near_field {
 public:
  /// near: a stencil of order 1 for pairs::near.
  near_field(const exec::cuda::context& context, const stencil& near);
  /// Writes potential and gradient, in units m/h and m/h², of the point masses around each block.
  void p2p(const exec::cuda::context& context, int blocks, const source_block* sources, double* fields) const;

 private:
  device_records records_;
};

/// The kernels of multipoles up to order p = 3, 4 or 5. All pointers are the device's, and so are those in the sources:
/// [block][mesh::sides], each of basis_size(p) numbers or 1, or none. Blocks are stored as in layout.hpp.
class far_field {
 public:
  far_field(const exec::cuda::context& context, const operators& ops, const stencil& far);

  /// Numbers of a cell in the scratch memory of m2l.
  int sums() const;
  /// M2L, and P2L where sources are leaf cells: as far_kernels::m2l for each block. sums: scratch, [block] of sums().
  void m2l(const exec::cuda::context& context, int blocks, const source_block* sources, const double* moments,
           double* sums, double* expansions, double* torque) const;
  /// M2P: adds potential and gradient to [block] fields of four numbers.
  void m2p(const exec::cuda::context& context, int blocks, const source_block* sources, double* fields) const;

 private:
  int order_;
  device_records records_;
  std::array<exec::cuda::array<matrix_entry>, 3> rotation_;
};

}  // namespace rednova::gravity::cuda
