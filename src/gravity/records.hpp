// The offsets of a stencil as a block of threads reads them: one after the other, each with its coefficients.
//
// For a thread block the cells of a block are sorted by parity in z as well: 4³ parents in each of 8 classes. A thread
// holds the sums of some children of one parent, which meet the same sources: each is read once for all of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gravity/layout.hpp"

namespace rednova::gravity {

class stencil;

inline constexpr int parities = 8;  ///< classes of cells by the parities of x, y and z: x + 2 y + 4 z

/// Parents around a block whose children of one class a thread block holds in its shared memory, [Z][Y][X] for each
/// number.
template <int Reach>
struct stage_shape {
  static constexpr int reach = Reach;
  static constexpr int edge = H + 2 * Reach;
  /// Planes lie 4 (mod 16) doubles apart: the 4² cells of a half-warp with one Y stand in 16 different banks.
  static constexpr int plane = edge * edge + (20 - edge * edge % 16) % 16;
  static constexpr int size = edge * plane;

  /// Index of a source relative to the target's parent, which lies at lane(X, Y, Z).
  static constexpr int source(int x, int y, int z) { return lane(x + Reach, y + Reach, z + Reach); }
  static constexpr int lane(int x, int y, int z) { return z * plane + y * edge + x; }
};

/// The reach of the stage that serves a stencil.
constexpr int stage_reach(int reach) { return reach <= 2 ? 2 : 3; }

/// Places in a stage of the sources above and below the target: the same where only one of them is a source.
struct record_header {
  std::int32_t above, below;
};
static_assert(sizeof(record_header) == sizeof(double));

/// Doubles of a record: an even number, so that the coefficients of all are loaded by twos alike.
constexpr int record_size(int together, int coefficients) { return (1 + together * coefficients + 1) / 2 * 2; }

/// Records of a stencil: a header in place of a double, then the coefficients of each target, which are zero for
/// targets that do not interact with the sources.
struct records {
  /// together: children along x (2), or along x and y (4), that a thread holds.
  /// numbers: those of a source cell that the stencil was made for; order: that of its coefficients.
  records(const stencil& of, int order, int numbers, int together);

  int groups() const { return parities / together; }
  int doubles() const { return record_size(together, coefficient_count); }
  /// Entry of `ranges`: targets' group (the bits of class that are not in the thread), class of sources, and 1 for
  /// sources above and below together.
  static constexpr int range(int group, int source_class, int folded) {
    return (group * parities + source_class) * 2 + folded;
  }

  /// Zero records after the last, which a warp may read ahead and does not use.
  static constexpr int read_ahead = 32;

  struct span {
    int first, count;
  };
  int together, coefficient_count, reach;
  std::vector<span> ranges;    ///< in records
  std::vector<double> values;  ///< [record][doubles()]
};

}  // namespace rednova::gravity
