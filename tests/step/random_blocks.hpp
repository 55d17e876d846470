// Blocks to be summed up, and their sums on the processor.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "step/block_sums.hpp"

namespace rednova::step::test {

/// Blocks of random fields of either sign over six decades; the second is without gravity.
struct random_blocks {
  static constexpr std::size_t count = 3;

  explicit random_blocks(int species) : fields(species) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> exponent(-3, 3), sign(-1, 1);
    const auto fill = [&](int numbers) {
      std::vector<double> values(static_cast<std::size_t>(numbers * mesh::cells));
      std::ranges::generate(values, [&] { return std::copysign(std::pow(10, exponent(generator)), sign(generator)); });
      return values;
    };
    for (std::size_t b = 0; b < count; ++b) {
      u.push_back(fill(fields.size()));
      phi.push_back(fill(1));
    }
    for (std::size_t b = 0; b < count; ++b) {
      const double n = static_cast<double>(b);
      all.push_back({u[b].data(), b == 1 ? nullptr : phi[b].data(), {0.3 + n, -1.7, 0.9 * n}, 0.1});
    }
  }
  int numbers() const { return 2 * (fields.species() + vector_and_energy); }
  /// As sum_block gives them, [block].
  std::vector<core::compensated> sums() const {
    const auto width = static_cast<std::size_t>(numbers());
    std::vector<core::compensated> sum(count * width);
    for (std::size_t b = 0; b < count; ++b) sum_block(all[b], fields, sum.data() + b * width);
    return sum;
  }

  mesh::field_numbers fields;
  std::vector<std::vector<double>> u, phi;
  std::vector<summed_block> all;
};

/// The sums as numbers.
inline std::vector<double> values(const std::vector<core::compensated>& sums) {
  std::vector<double> all;
  for (const core::compensated& sum : sums) all.push_back(sum.value());
  return all;
}

}  // namespace rednova::step::test
