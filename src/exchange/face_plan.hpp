// Where a coarse leaf meets finer ones: the fine faces' fluxes are the coarse cell's, so nothing is lost between.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "exec/macros.hpp"
#include "mesh/block_data.hpp"
#include "mesh/fields.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::exchange {

/// A face of a coarse leaf whose neighbour is refined.
struct coarse_face {
  int leaf;
  int face;                 ///< mesh::face() as the coarse leaf sees it
  std::array<int, 4> fine;  ///< leaves behind it by transverse halves a + 2b, (a, b) = (y,z), (x,z), (x,y)
};

/// Directions across a face.
constexpr int transverse_a(int direction) { return direction == 0 ? 1 : 0; }
constexpr int transverse_b(int direction) { return direction == 2 ? 1 : 2; }

/// The cell at place i along a direction and (a, b) across it.
constexpr int cell_at(int direction, int i, int a, int b) {
  return direction == 0 ? mesh::cell(i, a, b) : direction == 1 ? mesh::cell(a, i, b) : mesh::cell(a, b, i);
}
/// The cell (a, b) of a block before one of its faces.
constexpr int face_cell(int face, int a, int b) { return cell_at(face / 2, face % 2 ? mesh::N - 1 : 0, a, b); }
/// Index of a cell along a direction.
constexpr int place_along(int direction, int cell) {
  return direction == 0 ? cell % mesh::N : direction == 1 ? cell / mesh::N % mesh::N : cell / mesh::N / mesh::N;
}
/// Whether a cell lies before a face of its block.
constexpr bool before_face(int face, int cell) { return place_along(face / 2, cell) == (face % 2 ? mesh::N - 1 : 0); }

/// mesh::side() of the neighbour behind a face.
constexpr int side_of_face(int face) {
  int d[3] = {0, 0, 0};
  d[face / 2] = face % 2 ? 1 : -1;
  return mesh::side(d[0], d[1], d[2]);
}

/// Fluxes left by fine leaves: [slot][field][N²] as hydro::block_output::outer_flux.
class flux_registers {
 public:
  flux_registers() = default;
  flux_registers(int slots, int n_fields)
      : stride_(static_cast<std::size_t>(n_fields) * mesh::N * mesh::N),
        values_(static_cast<std::size_t>(slots) * stride_) {}
  double* at(int slot) { return values_.data() + static_cast<std::size_t>(slot) * stride_; }
  double* data() { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  std::size_t stride() const { return stride_; }
  const double* at(int slot) const { return values_.data() + static_cast<std::size_t>(slot) * stride_; }

 private:
  std::size_t stride_ = 0;
  exec::zeroed_array<double> values_;
};

/// What face_plan tells, as plain pointers.
struct face_view {
  const int* slot;                 ///< [leaf][face]
  const coarse_face* coarse;       ///< those of a leaf one after the other
  const int* first;                ///< [leaf], and one more: the first of its coarse faces
  double* values;                  ///< of flux_registers
  std::ptrdiff_t register_stride;  ///< from one slot to the next

  /// The register of a fine leaf's face with a coarser neighbour.
  REDNOVA_FN double* at(int leaf, int face) const { return values + slot[leaf * mesh::faces + face] * register_stride; }
  /// Whether a face has a register.
  REDNOVA_FN bool registered(int leaf, int face) const { return slot[leaf * mesh::faces + face] >= 0; }
};

/// The coarse-fine faces of a rank's leaves.
class face_plan {
 public:
  /// One rank alone.
  explicit face_plan(const mesh::tree& t) : face_plan(t, mesh::local_partition(t)) {}
  face_plan(const mesh::tree& t, const mesh::local_partition& own);

  /// Bit mesh::face() for each face of a leaf behind which it is finer.
  unsigned finer(int leaf) const { return finer_[static_cast<std::size_t>(leaf)]; }
  /// Where a fine leaf leaves its fluxes through a face with a coarser neighbour, if it or that neighbour is the rank's
  /// own; -1 for other faces.
  int slot(int leaf, int face) const { return slot_[static_cast<std::size_t>(leaf * mesh::faces + face)]; }
  int slots() const { return slots_; }
  /// All coarse faces of own leaves, along the curve.
  const std::vector<coarse_face>& coarse_faces() const { return coarse_; }
  /// Those of one leaf.
  std::span<const coarse_face> coarse_faces(int leaf) const {
    const auto l = static_cast<std::size_t>(leaf);
    return {coarse_.begin() + first_[l], coarse_.begin() + first_[l + 1]};
  }
  face_view view(flux_registers& registers) const;
  /// The tables of the view, to be copied elsewhere.
  const std::vector<int>& slot_table() const { return slot_; }
  const std::vector<int>& first_coarse() const { return first_; }

 private:
  std::vector<unsigned> finer_;  // [leaf]
  std::vector<int> slot_;        // [leaf][face]
  std::vector<coarse_face> coarse_;
  std::vector<int> first_;  // [leaf], and one more: of its coarse faces
  int slots_ = 0;
};

}  // namespace rednova::exchange
