#include "hydro/cuda/update_kernels.hpp"

namespace rednova::hydro::cuda {

REDNOVA_UPDATE(template, edges_ppm);

}  // namespace rednova::hydro::cuda
