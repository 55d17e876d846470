// Where a rank's blocks are stored and how they are related, as plain numbers for the functors of sweeps.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "exec/macros.hpp"
#include "gravity/interaction_lists.hpp"
#include "gravity/layout.hpp"
#include "gravity/operators.hpp"
#include "mesh/local_partition.hpp"

namespace rednova::gravity {

/// Places of blocks in a rank's arrays, counted in blocks; -1: not stored.
struct block_places {
  std::vector<int> leaf;                          ///< [leaf of the tree]
  std::vector<int> refined;                       ///< [refined node of the tree, from 0]
  std::vector<int> ghost;                         ///< [ghost block of the tree]
  int leaves = 0, refined_nodes = 0, ghosts = 0;  ///< stored ones
};

/// An octant of a leaf.
struct octant_of {
  int leaf, octant;
};

/// A block that is a leaf, with masses, or refined, with moments.
struct either_block {
  int place;  ///< -1: another rank's
  bool refined;
};

/// The parent's place, -1 without one, and which of its children a block is.
struct child_of {
  int parent, octant;
};

/// A leaf.
struct leaf_block {
  int number = 0;  ///< along the curve, from the first own one
  child_of parent{-1, 0};
  double h = 0;  ///< width of its cells
};

/// Tables by the places of blocks. Entries of leaves are set for own ones only.
struct block_tables {
  block_tables() = default;
  block_tables(const mesh::tree& tree, const interaction_lists& lists, const mesh::local_partition& own,
               const block_places& places);

  std::vector<leaf_block> leaves;      ///< [leaf]
  std::vector<octant_of> ghosts;       ///< [ghost block]
  std::vector<either_block> children;  ///< [refined block][octant]
  std::vector<child_of> parents;       ///< [refined block]
};

/// The matrices of eight octants as `translations` reads them.
struct translation_tables {
  translation_tables(const std::array<matrix, 8>& of_octants, int numbers);  ///< numbers: rows
  std::vector<matrix_entry> entries;
  std::vector<int> starts;
};

/// The same in a host's or a device's memory.
struct translations {
  const matrix_entry* entries;
  const int* starts;  ///< [octant][row]: number of the row's first entry; one more at the end
  int rows;

  REDNOVA_FN const matrix_entry* row(int octant, int r) const { return entries + starts[octant * rows + r]; }
};

/// Blocks of numbers, `stride` doubles apart; with a stride of 0 all places are the same memory.
template <class Number>
struct block_array {
  Number* first;
  std::size_t stride;

  block_array() = default;
  /// Blocks of layout.hpp, one after the other.
  REDNOVA_FN block_array(Number* all, int numbers)
      : first(all), stride(static_cast<std::size_t>(block_size(numbers))) {}
  REDNOVA_FN block_array(Number* all, std::size_t doubles) : first(all), stride(doubles) {}
  template <class Other>
  REDNOVA_FN block_array(const block_array<Other>& b) : first(b.first), stride(b.stride) {}
  REDNOVA_FN Number* operator[](int place) const { return first + static_cast<std::size_t>(place) * stride; }
};

}  // namespace rednova::gravity
