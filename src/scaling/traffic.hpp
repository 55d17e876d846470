// What a partition costs in messages: counted from the tree alone, without fields and without sending anything.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::scaling {

/// The exchanges of a step. One message goes to each rank that needs something of a kind; where levels wait for each
/// other, one for each level.
enum class message_kind {
  restricted,  ///< children's averages to refined nodes of other ranks; level by level, finest first
  ghosts,      ///< cells of neighbours, and coarse cells that finer ones are prolonged from
  fluxes,      ///< through fine faces to the coarse leaf behind them; with gravity the mass flow too
  moments,     ///< up: leaves' masses, octants of refined nodes' multipoles; level by level
  halos,       ///< masses of leaves and multipoles of refined nodes to all blocks that touch them, once to a rank
  expansions,  ///< down: an octant's expansions, torques and masses; level by level
  potentials,  ///< and densities at faces, for the work of gravity
};
inline constexpr int message_kinds = 7;
/// For tables.
const char* name_of(message_kind kind);
/// How often a step of so many stages makes it: gravity is solved for once a step.
int exchanges(message_kind kind, int stages);

/// Numbers of a cell in the exchanges of a run.
struct message_sizes {
  int fields = 9;             ///< evolved fields
  int multipole_numbers = 0;  ///< of an expansion, (order + 1)²; 0: no gravity
};

struct amount {
  std::int64_t messages = 0, bytes = 0;
  amount& operator+=(const amount& b) {
    messages += b.messages;
    bytes += b.bytes;
    return *this;
  }
  friend bool operator==(const amount&, const amount&) = default;
};

/// What each rank sends and receives in one exchange of each kind.
struct traffic {
  using by_kind = std::array<amount, message_kinds>;
  std::vector<by_kind> in, out;  ///< [rank][kind]
  std::vector<int> neighbours;   ///< [rank]: ranks from which it receives anything

  /// All kinds together, in a step of so many stages.
  amount received(int rank, int stages) const;
  amount sent(int rank, int stages) const;
};

/// Counts one exchange of each kind. Time and memory grow with the blocks that touch other ranks'.
///
/// A rank is taken to hold the fields and the restricted averages of its own nodes only. Cells that several sides of a
/// block are prolonged from count once for each side.
traffic count_traffic(const mesh::tree& t, const mesh::partition& p, const message_sizes& sizes);

}  // namespace rednova::scaling
