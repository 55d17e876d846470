// The blocks that a rank stores for gravity, and what it exchanges with other ranks.
#pragma once

#include <vector>

#include "exchange/block_exchange.hpp"
#include "gravity/block_tables.hpp"
#include "gravity/interaction_lists.hpp"
#include "mesh/local_partition.hpp"

namespace rednova::gravity {

/// Masses are stored for own leaves and for other ranks' leaves that touch own blocks (halo copies), moments for own
/// refined nodes, for the parents of own nodes and for refined nodes that touch own ones. One rank alone stores all
/// blocks and exchanges nothing.
///
/// The rank that owns a child computes its parent's moments in that octant and sends them to the parent's owner, which
/// sends back the parent's expansions and torques in the octant.
struct local_partition {
  /// numbers: of a multipole. The partition must outlive this object.
  local_partition(exec::context* context, const mesh::tree& t, const interaction_lists& lists,
                  const mesh::local_partition& s, int numbers);

  const mesh::local_partition* own;
  block_places places;  ///< of own blocks, other ranks' parents of own blocks, and halo copies

  std::vector<std::vector<int>> parents;  ///< [level]: nodes that have own children
  exchange::block_exchange masses, moments;
  std::vector<exchange::block_exchange> upward, downward;  ///< [level of the parent]

 private:
  void find_halo(const interaction_lists& lists);
  void open(exec::context& context, const mesh::tree& t, int numbers);

  std::vector<char> wanted_;  // [node]
};

}  // namespace rednova::gravity
