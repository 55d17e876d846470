// A CUDA device as the execution space of device_solve. Only sources that nvcc compiles include this.
#pragma once

#include "exec/cuda/space.hpp"
#include "gravity/cuda/interactions.hpp"
#include "gravity/device_solve.hpp"

namespace rednova::gravity::cuda {

struct device_space : exec::cuda::space {
  using near_field = cuda::near_field;
  using far_field = cuda::far_field;
};

}  // namespace rednova::gravity::cuda
