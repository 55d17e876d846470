// The conserved sums of blocks on a device: a team of threads works on a block, in the processor's order.
#pragma once

#include "exec/team.hpp"
#include "step/block_sums.hpp"

namespace rednova::step {

/// As sum_block for each block, to the bit where products are not fused with sums: a thread adds up rows, then one adds
/// the rows of a component.
template <int Threads>
struct team_sums {
  static constexpr int threads = Threads;
  static constexpr int teams_at_once = 1;

  mesh::field_numbers fields;
  const summed_block* in;   ///< [block]
  core::compensated* sums;  ///< [block][2][component of totals]: of values and of magnitudes

  /// Doubles that a team shares.
  int memory() const { return 2 * terms_of_row(fields.species()) * step; }

  REDNOVA_TEAM_FN void operator()(const exec::team& team, int block) const {
    const summed_block& from = in[block];
    const int species = fields.species(), terms = terms_of_row(species), width = species + vector_and_energy;
    for (int row = team.thread(); row < rows; row += threads) {
      double *value = team.memory + row, *magnitude = value + terms * step;
      for_terms(from, fields, row, [&](const term_owner&, const auto& term) {
        const row_sum sum(term);
        *value = sum.value;
        *magnitude = sum.magnitude;
        value += step;
        magnitude += step;
      });
    }
    team.sync();
    for (int i = team.thread(); i < 2 * width; i += threads) {
      const term_range range = terms_of(i % width, species, from.phi != nullptr);
      const double* first = team.memory + (i / width * terms + range.first) * step;
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
