// The kernels of the step across that a tree needs on a device.
#pragma once

#include "gravity/cuda/across.hpp"
#include "gravity/device_solve.hpp"

namespace rednova::gravity::cuda {

/// With the stencils of a tree's blocks. They are made by the host's compiler: nvcc knows none of its packs.
across_kernels<near_field, far_field> kernels_of(const exec::cuda::context& where, const config::gravity& par,
                                                 const mesh::tree& tree);

}  // namespace rednova::gravity::cuda
