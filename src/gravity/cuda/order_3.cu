#include "gravity/cuda/far_kernels.hpp"

namespace rednova::gravity::cuda {

REDNOVA_ORDER(template, 3);

}  // namespace rednova::gravity::cuda
