// The conserved sums on a device (step/sums.hpp is the processor's).
#pragma once

#include <vector>

#include "exec/cuda/array.hpp"
#include "step/block_sums.hpp"

namespace rednova::step::cuda {

/// What each of `blocks` blocks contributes, as sum_block, to the bit: [block][2][component of totals]. To be folded in
/// the order of the curve. in: [block]; they and all that they point to are the device's.
std::vector<core::compensated> sum_blocks(const exec::cuda::context& context, const mesh::field_numbers& fields,
                                          int blocks, const summed_block* in);

}  // namespace rednova::step::cuda
