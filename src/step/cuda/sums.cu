#include "step/cuda/sums.hpp"

#include "exec/cuda/team.hpp"
#include "step/team_sums.hpp"

namespace rednova::step::cuda {

std::vector<core::compensated> sum_blocks(const exec::cuda::context& where, const mesh::field_numbers& fields,
                                          int blocks, const summed_block* in) {
  const int numbers = 2 * (fields.species() + vector_and_energy);
  exec::cuda::array<core::compensated> sums(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(numbers));
  const team_sums<mesh::N * mesh::N> kernel{fields, in, sums.data()};
  exec::cuda::for_each_team(where, blocks, kernel.memory(), kernel);
  return sums.to_host(where);
}

}  // namespace rednova::step::cuda
