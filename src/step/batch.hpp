// Batches of leaves, and how functors see their cells: on cores a batch is a few leaves that one thread works on, on a
// device many that a launch works on.
//
// A functor is written once for both (stage.hpp lists them in their order). One for cells has
//     template <class T> void cells(const batch_cell&) const    for lanes<T> cells along x, the first of them given;
// one for other numbers of leaves (rows of cells, values of faces, the leaf itself) has
//     void operator()(const batch_item&) const.
// It writes to what belongs to its cells or item alone, so that the order does not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/vec3.hpp"
#include "exec/simd.hpp"
#include "mesh/view.hpp"

namespace rednova::step {

/// Leaves that are worked on together. Lists are in the memory of the execution space.
struct batch {
  int number;  ///< among all batches; -1: of none of these
  int first;   ///< of a part: where it begins in that
  const int* leaves;
  int count;
  const int* beside_finer;  ///< those of them that have finer leaves behind a face
  int beside_finer_count;
  int first_boundary, boundary_count;  ///< of stage_tables::boundary_faces: their faces at the end of the domain

  constexpr batch part(int from, int part_count) const {
    return {number, first + from, leaves + from, part_count, nullptr, 0, 0, 0};
  }
  constexpr batch coarse_part(int from, int part_count) const {
    return {-1, 0, beside_finer + from, part_count, nullptr, 0, 0, 0};
  }
};

/// Cells of a batch; position: of the leaf in the list.
struct batch_cell {
  int position, leaf, cell;
};
/// One of so many numbers of each leaf of a batch.
struct batch_item {
  int position, leaf, number;
};

/// A functor as a device launches it, a thread for each cell of a batch
template <class Functor>
struct launched_cells {
  Functor functor;
  const int* leaves;

  REDNOVA_FN void operator()(int i) const {
    const int position = i / mesh::cells;
    functor.template cells<double>({position, leaves[position], i % mesh::cells});
  }
};
/// or for each item.
template <class Functor>
struct launched_items {
  Functor functor;
  const int* leaves;
  int numbers;  ///< of a leaf

  REDNOVA_FN void operator()(int i) const {
    const int position = i / numbers;
    functor({position, leaves[position], i % numbers});
  }
};

/// or for numbers from `first` on.
template <class Functor>
struct launched_from {
  Functor functor;
  int first;

  REDNOVA_FN void operator()(int i) const { functor(first + i); }
};

/// The same as loops of the calling thread.
template <class Functor>
void loop_over_cells(const batch& b, const Functor& functor) {
  static_assert(mesh::N % exec::lanes<exec::pack> == 0);
  for (int position = 0; position < b.count; ++position) {
    const int leaf = b.leaves[position];
    for (int c = 0; c < mesh::cells; c += exec::lanes<exec::pack>)
      functor.template cells<exec::pack>({position, leaf, c});
  }
}
template <class Functor>
void loop_over_items(const batch& b, int numbers, const Functor& functor) {
  for (int position = 0; position < b.count; ++position) {
    const int leaf = b.leaves[position];
    for (int number = 0; number < numbers; ++number) functor({position, leaf, number});
  }
}

/// Asks for numbers that are two cache lines further, of a field that a loop over cells steps through: more fields at
/// once than the processor sees as streams it would wait for. No more than a hint, also beyond the field's end.
template <class T>
REDNOVA_FN void ask_ahead(const double* p) {
  exec::prefetch<T>(p + 16);
}

/// Centres of lanes<T> cells along x.
template <class T>
REDNOVA_FN core::vec3<T> centres(const mesh::tree_view& t, int leaf, int cell) {
  const core::vec3d first = t.centre(leaf, cell);
  const T x = t.corner(leaf).x + exec::counting<T>(cell % mesh::N + 0.5) * t.cell_width(leaf);
  return {x, T(first.y), T(first.z)};
}

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
