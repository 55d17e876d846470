// Whole solves for gravity on a device.
#pragma once

#include <functional>

#include "config/parameters.hpp"
#include "exec/cuda/device.hpp"
#include "mesh/tree.hpp"

namespace rednova::bench {

/// Launches a solve for masses of uniform density each time it is called. Context and tree must outlive it.
std::function<void()> device_solve(const exec::cuda::context& context, const config::gravity& par,
                                   const mesh::tree& tree);

}  // namespace rednova::bench
