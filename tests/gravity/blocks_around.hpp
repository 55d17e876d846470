// A block and its 26 neighbours with sources of every kind, for the kernels of M2L, P2L, M2P and P2P.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "gravity/source_block.hpp"
#include "mesh/block.hpp"

namespace rednova::gravity::test {

/// What a neighbour may be.
enum class sources_here { all_kinds, multipoles };

/// Random sources of `numbers` numbers a cell, one missing. Of all kinds: a third are leaf cells, with masses alone,
/// and one is a ghost block.
struct blocks_around {
  blocks_around(int numbers, sources_here kind, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> value(-1, 1), mass(0.5, 1.5);
    for (int s = 0; s < mesh::sides; ++s) {
      const bool points = numbers == 1 || (kind == sources_here::all_kinds && s % 3 == 1 && s != mesh::sides / 2);
      const int n = points ? 1 : numbers;
      std::vector<double>& v = values[index(s)];
      v.resize(index(block_size(n)));
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = points ? mass(generator) : value(generator);
      sources[index(s)] = real_block(v.data(), n);
    }
    sources[2] = {};
    if (kind == sources_here::all_kinds) sources[22] = ghost_source(values[22].data());
  }
  /// Moments of the block itself.
  const double* own() const { return values[mesh::sides / 2].data(); }

  std::array<std::vector<double>, mesh::sides> values;
  std::array<source_block, mesh::sides> sources;
};

}  // namespace rednova::gravity::test
