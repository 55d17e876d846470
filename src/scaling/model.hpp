// How long a step takes on many ranks: measured work, counted messages, and a network of given speed.
#pragma once

#include <vector>

#include "mesh/partition.hpp"
#include "scaling/traffic.hpp"

namespace rednova::scaling {

/// Seconds of a step that a block costs a rank, as measured on one.
struct block_costs {
  double leaf = 0;
  double refined = 0;  ///< a refined node: gravity's sweeps and restriction
  double sweep = 0;    ///< the part of a refined node's for which its parent or its children wait
  int stages = 3;      ///< of a step
};

struct network {
  double latency = 2e-6;    ///< s, of each message
  double bandwidth = 10e9;  ///< bytes/s, in and out of each rank at once
};

/// A step on a number of ranks.
struct prediction {
  struct share {
    double mean = 0, most = 0;
  };
  int ranks = 1;
  double imbalance = 1;   ///< of work
  share neighbours;       ///< ranks that a rank receives from
  share messages, bytes;  ///< received by a rank in a step
  std::array<share, message_kinds> messages_by_kind, bytes_by_kind;
  double work = 0;             ///< s, of the rank with the most
  double step = 0;             ///< s, if nobody computes while messages travel
  double overlapped = 0;       ///< s, if work hides all messages but those that ranks wait for level by level
  double efficiency = 1;       ///< of `step`: the time of one rank over that of all ranks together
  double best_efficiency = 1;  ///< of `overlapped`
};

/// The slowest rank's work and messages, one after the other: latency for each, the larger of bytes in and out at the
/// bandwidth; and what no number of ranks shortens: a node's work and a latency for each level of the ways up and
/// down, and the reduction of the time step.
prediction predict(const mesh::tree& t, const block_costs& costs, const message_sizes& sizes, const network& net,
                   int ranks);

/// 1, 2, 5, 10 … 100 000, up to `most`.
std::vector<int> rank_ladder(int most);

/// Where an efficiency falls below one half for the first time among numbers of ranks up to 100 000, to 3 %; 0 if it
/// does not.
struct saturation {
  int ranks = 0, overlapped = 0;
};
saturation find_saturation(const mesh::tree& t, const block_costs& costs, const message_sizes& sizes,
                           const network& net);

}  // namespace rednova::scaling
