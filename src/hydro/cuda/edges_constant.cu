#include "hydro/cuda/update_kernels.hpp"

namespace rednova::hydro::cuda {

REDNOVA_UPDATE(template, edges_constant, eos::ideal_gas);
REDNOVA_UPDATE(template, edges_constant, eos::white_dwarf);

}  // namespace rednova::hydro::cuda
