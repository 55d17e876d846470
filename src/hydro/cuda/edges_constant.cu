#include "hydro/cuda/update_kernels.hpp"

namespace rednova::hydro::cuda {

REDNOVA_UPDATE(template, edges_constant, eos::ideal_gas);
REDNOVA_UPDATE(template, edges_constant, eos::stored_gas);

}  // namespace rednova::hydro::cuda
