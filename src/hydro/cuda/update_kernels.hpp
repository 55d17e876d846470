// The kernel of the update for one scheme, the schemes compiled apart. Only sources that nvcc compiles include this.
#pragma once

#include "exec/cuda/thread_block.hpp"
#include "hydro/thread_block_update.hpp"

namespace rednova::hydro::cuda {

/// Threads of a thread block: three warps a scheduler, with 168 registers each. The 18 times 32 faces of a direction
/// fall on the four schedulers as 5, 5, 4 and 4.
inline constexpr int update_threads = 384;

/// update_blocks for a scheme.
template <class Edges, class Riemann>
void update_blocks(const exec::cuda::context& context, const config::hydro& par, int blocks,
                   const update_of_blocks& what) {
  using scheme = face_scheme<Edges, Riemann>;
  const thread_block_update<scheme, update_threads> kernel{what, scheme(par)};
  exec::cuda::for_each_thread_block(context, blocks, kernel.memory(), kernel);
}

#define REDNOVA_UPDATE(word, Edges)                                                                   \
  word void update_blocks<Edges, riemann_hllc>(const exec::cuda::context&, const config::hydro&, int, \
                                               const update_of_blocks&);                              \
  word void update_blocks<Edges, riemann_kt>(const exec::cuda::context&, const config::hydro&, int,   \
                                             const update_of_blocks&)
REDNOVA_UPDATE(extern template, edges_constant);
REDNOVA_UPDATE(extern template, edges_plm);
REDNOVA_UPDATE(extern template, edges_ppm);

}  // namespace rednova::hydro::cuda
