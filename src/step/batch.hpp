// Batches of leaves whose cells are worked on at once, a thread for each.
//
// A batch is a list of leaves in the memory of the place where they are; buffers of a batch are indexed by the position
// in the list. Functors write to what belongs to their i alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "exec/macros.hpp"
#include "mesh/block.hpp"

namespace rednova::step {

/// Number i of a batch with so many numbers for each leaf.
struct batch_item {
  int position, leaf, number;

  constexpr batch_item(const int* list, int i, int numbers_of_leaf)
      : position(i / numbers_of_leaf), leaf(list[position]), number(i % numbers_of_leaf) {}
};

/// Cell i of a batch.
struct batch_cell {
  int position, leaf, cell;

  constexpr batch_cell(const int* list, int i)
      : position(i / mesh::cells), leaf(list[position]), cell(i % mesh::cells) {}
};

/// Rows of cells along x in a leaf.
inline constexpr int rows_of_leaf = mesh::N * mesh::N;

/// Eight times the same flag, as flags_of_row has them.
constexpr std::uint64_t in_all_bytes(std::uint8_t flag) { return 0x0101010101010101 * flag; }

/// The flags of a row's cells joined, eight bytes at a time: one by one they would be most of what a launch reads.
/// flags: [position][cell], aligned to eight bytes; row: counted through the batch.
REDNOVA_FN std::uint64_t flags_of_row(const std::uint8_t* flags, int row) {
  static_assert(mesh::N % 8 == 0);
  std::uint64_t all = 0;
  for (int i = 0; i < mesh::N; i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, __builtin_assume_aligned(flags + static_cast<std::ptrdiff_t>(row) * mesh::N + i, 8), 8);
    all |= eight;
  }
  return all;
}

}  // namespace rednova::step
