// Blocks that change their owner go there whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::regrid {

/// Leaves that this rank got and gave since the start.
struct migration_counts {
  std::int64_t received = 0, sent = 0, bytes_sent = 0;
};

/// Where the leaves that move lie; each leaf is so many bytes, and so are leaves that follow each other.
struct moving_leaves {
  std::size_t bytes;
  std::function<void(int first, int last, std::byte* message)> take;
  std::function<void(int first, int last, const std::byte* message)> store;
};

/// Sends the leaves that move to other ranks and stores those that come.
///
/// moves: mesh::migrations() from the one cut to the other. All ranks call it.
void migrate(exec::context& context, const std::vector<mesh::migration>& moves, const moving_leaves& leaves,
             migration_counts& counts);

/// First and last+1 of the leaves that a rank keeps.
std::array<int, 2> kept_leaves(const mesh::local_partition& had, const mesh::local_partition& own);

/// The leaves of this rank's partition `own`, from those of its partition `had` before (u: these alone).
mesh::block_data migrate(exec::context& context, const std::vector<mesh::migration>& moves,
                         const mesh::local_partition& had, const mesh::local_partition& own, const mesh::block_data& u,
                         migration_counts& counts);

/// Costs of the leaves of a tree, from what the nodes of the one before it have cost [size()]: new nodes are taken to
/// cost what others of their kind do.
std::vector<double> costs_after(const mesh::tree& before, std::span<const double> of_nodes, const mesh::tree& after);

}  // namespace rednova::regrid
