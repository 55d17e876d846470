#include "hydro/cuda/update_kernels.hpp"

namespace rednova::hydro::cuda {

REDNOVA_UPDATE(template, edges_plm);

}  // namespace rednova::hydro::cuda
