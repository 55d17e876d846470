// A CUDA device as a place of device_solve. Only sources that nvcc compiles include this.
#pragma once

#include "exec/cuda/place.hpp"
#include "gravity/cuda/interactions.hpp"
#include "gravity/device_solve.hpp"

namespace rednova::gravity::cuda {

struct device_place : exec::cuda::place {
  using near_field = cuda::near_field;
  using far_field = cuda::far_field;
};

}  // namespace rednova::gravity::cuda
