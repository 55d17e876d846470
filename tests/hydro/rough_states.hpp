// States without any order for one_block, and the comparison of all that an update writes.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "one_block.hpp"

namespace rednova::test {

/// Random values in every cell, over three decades of density and pressure; in some E says nothing of the heat, and the
/// tracer does.
inline void fill_rough(one_block& b, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> exponent(-2, 1), value(-1, 1);
  b.fill([&](core::vec3d) {
    std::vector<double> u =
        b.conserved(std::pow(10, exponent(generator)), {value(generator), 3 * value(generator), value(generator)},
                    std::pow(10, exponent(generator)),
                    {0.1 * value(generator), 0.1 * value(generator), 0.1 * value(generator)}, 0.5);
    const double rho = b.fields.species() == 1 ? u[0] : u[0] + u[1];
    double left = rho;
    for (int k = 0; k + 1 < b.fields.species(); ++k) {
      u[static_cast<std::size_t>(k)] = left * (0.5 + 0.4 * value(generator));
      left -= u[static_cast<std::size_t>(k)];
    }
    u[static_cast<std::size_t>(b.fields.species() - 1)] = left;
    if (value(generator) > 0.8) u[static_cast<std::size_t>(b.fields.energy())] *= 0.1;
    return u;
  });
}

/// The fields of the block without its ghosts.
inline std::vector<double> without_ghosts(one_block& b) {
  std::vector<double> u(static_cast<std::size_t>(b.fields.size()) * mesh::cells);
  for (int f = 0; f < b.fields.size(); ++f)
    one_block::each([&](int i, int j, int k) {
      u[static_cast<std::size_t>(f * mesh::cells + mesh::cell(i, j, k))] = b.at(f, i, j, k);
    });
  return u;
}

/// To the bit.
inline void expect_same(const results& a, const results& b) {
  EXPECT_EQ(a.rate, b.rate);
  EXPECT_EQ(a.mass, b.mass);
  for (std::size_t f = 0; f < mesh::faces; ++f) EXPECT_EQ(a.outer[f], b.outer[f]) << f;
}

}  // namespace rednova::test
