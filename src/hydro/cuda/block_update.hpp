// The update of blocks on a device (hydro/block_update.hpp is the processor's): many blocks a launch, all on the
// device.
#pragma once

#include "exec/cuda/array.hpp"
#include "hydro/block_update.hpp"
#include "hydro/signal_speed.hpp"

namespace rednova::hydro::cuda {

/// The scheme of config::hydro on many blocks.
class block_update {
 public:
  block_update(const config::hydro& par, const mesh::fields& fields, eos::gas eos);

  /// Doubles of scratch memory that a block asks for.
  int scratch() const;
  /// Updates `blocks` blocks; returns once that is launched. in, out: [block]; they, all that
  /// they point to and scratch ([block] of scratch()) are the device's.
  void operator()(const exec::cuda::context& context, int blocks, const block_input* in, const block_output* out,
                  const stage_spin_exchange& exchange, double* scratch) const;
  /// The largest signal speed over the cell width of `blocks` blocks, which bounds the time step. in: [block]; they and
  /// all that they point to are the device's. rotation: angular velocity of the grid.
  double largest_signal_rate(const exec::cuda::context& context, int blocks, const signal_input* in,
                             double rotation) const;

 private:
  config::hydro par_;
  mesh::field_numbers fields_;
  eos::gas eos_;
};

}  // namespace rednova::hydro::cuda
