#include "hydro/cuda/update_kernels.hpp"

namespace rednova::hydro::cuda {

REDNOVA_UPDATE(template, edges_plm, eos::ideal_gas);
REDNOVA_UPDATE(template, edges_plm, eos::stored_gas);

}  // namespace rednova::hydro::cuda
