#include "gravity/cuda/far_kernels.hpp"

namespace rednova::gravity::cuda {

REDNOVA_ORDER(template, 5);

}  // namespace rednova::gravity::cuda
