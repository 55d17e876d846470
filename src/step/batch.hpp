// Batches of leaves whose cells are worked on at once, a thread for each.
//
// A batch is a list of leaves in the memory of the place where they are; buffers of a batch are indexed by the position
// in the list. Functors write to what belongs to their i alone.
#pragma once

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

}  // namespace rednova::step
