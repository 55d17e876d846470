// The conserved sums of blocks on a device: a thread block of threads works on a block, in the processor's order.
#pragma once

#include "exec/thread_block.hpp"
#include "step/block_sums.hpp"

namespace rednova::step {

/// As sum_block for each block, to the bit where products are not fused with sums: a thread adds up rows, then one adds
/// the rows of a component.
template <int Threads>
struct thread_block_sums {
  static constexpr int threads = Threads;
  static constexpr int thread_blocks_at_once = 1;

  mesh::field_numbers fields;
  const summed_block* in;   ///< [block]
  core::compensated* sums;  ///< [block][2][component of totals]: of values and of magnitudes

  /// Doubles that a thread block shares.
  int memory() const { return 2 * terms_of_row(fields.species()) * step; }

  REDNOVA_THREAD_BLOCK_FN void operator()(const exec::thread_block& thread_block, int block) const {
    const summed_block& from = in[block];
    const int species = fields.species(), terms = terms_of_row(species), width = species + vector_and_energy;
    for (int row = thread_block.thread(); row < rows; row += threads) {
      double *value = thread_block.memory + row, *magnitude = value + terms * step;
      for_terms(from, fields, row, [&](const term_owner&, const auto& term) {
        const row_sum sum(term);
        *value = sum.value;
        *magnitude = sum.magnitude;
        value += step;
        magnitude += step;
      });
    }
    thread_block.sync();
    for (int i = thread_block.thread(); i < 2 * width; i += threads) {
      const term_range range = terms_of(i % width, species, from.phi != nullptr);
      const double* first = thread_block.memory + (i / width * terms + range.first) * step;
      core::compensated sum;
      for (int row = 0; row < rows; ++row)
        for (int t = 0; t < range.count; ++t) sum += first[t * step + row];
      sums[static_cast<std::ptrdiff_t>(block) * 2 * width + i] = sum;
    }
  }

 private:
  static constexpr int rows = mesh::N * mesh::N;
  static constexpr int step = rows + 1;  ///< odd, so that components side by side do not meet in a bank
};

}  // namespace rednova::step
