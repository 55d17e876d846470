#include "hydro/cuda/update_kernels.hpp"

namespace rednova::hydro::cuda {

REDNOVA_UPDATE(template, edges_ppm, eos::ideal_gas);
REDNOVA_UPDATE(template, edges_ppm, eos::stored_gas);

}  // namespace rednova::hydro::cuda
