#include "step/cuda/sums.hpp"

#include "exec/cuda/thread_block.hpp"
#include "step/thread_block_sums.hpp"

namespace rednova::step::cuda {

std::vector<core::compensated> sum_blocks(const exec::cuda::context& context, const mesh::field_numbers& fields,
                                          int blocks, const summed_block* in) {
  const int numbers = 2 * (fields.species() + vector_and_energy);
  exec::cuda::array<core::compensated> sums(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(numbers));
  const thread_block_sums<mesh::N * mesh::N> kernel{fields, in, sums.data()};
  exec::cuda::for_each_thread_block(context, blocks, kernel.memory(), kernel);
  return sums.to_host(context);
}

}  // namespace rednova::step::cuda
