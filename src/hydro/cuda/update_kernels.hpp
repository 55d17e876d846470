// The kernel of the update for one scheme, the schemes compiled apart. Only sources that nvcc compiles include this.
#pragma once

#include "exec/cuda/thread_block.hpp"
#include "hydro/thread_block_update.hpp"

namespace rednova::hydro::cuda {

/// Threads of a thread block: three warps a scheduler, with 168 registers each. The 18 times 32 faces of a direction
/// fall on the four schedulers as 5, 5, 4 and 4.
inline constexpr int update_threads = 384;

/// update_blocks for a scheme.
template <class Edges, class Riemann, class Eos>
void update_blocks(const exec::cuda::context& context, const config::hydro& par, int blocks,
                   const update_of_blocks<Eos>& what) {
  using scheme = face_scheme<Edges, Riemann, Eos>;
  const thread_block_update<scheme, update_threads> kernel{what, scheme(par)};
  exec::cuda::for_each_thread_block(context, blocks, kernel.memory(), kernel);
}

#define REDNOVA_UPDATE(word, Edges, Eos)                                                                   \
  word void update_blocks<Edges, riemann_hllc, Eos>(const exec::cuda::context&, const config::hydro&, int, \
                                                    const update_of_blocks<Eos>&);                         \
  word void update_blocks<Edges, riemann_kt, Eos>(const exec::cuda::context&, const config::hydro&, int,   \
                                                  const update_of_blocks<Eos>&)
REDNOVA_UPDATE(extern template, edges_constant, eos::ideal_gas);
REDNOVA_UPDATE(extern template, edges_plm, eos::ideal_gas);
REDNOVA_UPDATE(extern template, edges_ppm, eos::ideal_gas);
REDNOVA_UPDATE(extern template, edges_constant, eos::stored_gas);
REDNOVA_UPDATE(extern template, edges_plm, eos::stored_gas);
REDNOVA_UPDATE(extern template, edges_ppm, eos::stored_gas);

}  // namespace rednova::hydro::cuda
