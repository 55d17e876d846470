// The kernels of a tree's interactions on a device.
#pragma once

#include "gravity/cuda/interactions.hpp"
#include "gravity/device_solve.hpp"

namespace rednova::gravity::cuda {

/// With the stencils of a tree's blocks. This is a .cpp file because stencils need packs, which nvcc cannot compile.
interaction_kernels<near_field, far_field> kernels_of(const exec::cuda::context& context, const config::gravity& par,
                                                      const mesh::tree& tree);

}  // namespace rednova::gravity::cuda
