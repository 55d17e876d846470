// A CUDA device as the execution space of device_step. Only sources that nvcc compiles include this.
#pragma once

#include "exec/cuda/phase_clock.hpp"
#include "gravity/cuda/device_space.hpp"
#include "gravity/cuda/kernels_of.hpp"
#include "hydro/cuda/block_update.hpp"

namespace rednova::step::cuda {

struct device_space : gravity::cuda::device_space {
  using block_update = hydro::cuda::block_update;

  exec::cuda::phase_clock* clock;

  void enter(const char* phase) const { clock->enter(phase); }
  void collect(exec::profile& to) const { clock->collect(to); }
  gravity::interaction_kernels<near_field, far_field> interactions(const config::gravity& par, const mesh::tree& tree,
                                                                   const gravity::operators&) const {
    return gravity::cuda::kernels_of(*on, par, tree);
  }
};

}  // namespace rednova::step::cuda
