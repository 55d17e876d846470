// The cells of other ranks' blocks that a rank needs, collected one by one.
#pragma once

#include <bitset>
#include <map>
#include <utility>
#include <vector>

#include "exchange/block_exchange.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::exchange {

/// Cells of nodes that other ranks own, each of them once however often it is asked for.
class halo_requests {
 public:
  halo_requests(const mesh::tree& t, const mesh::local_partition& s) : tree_(&t), partition_(&s) {}

  /// A cell of a node, or all; nothing if the node is the rank's own.
  void cell(int node, int c);
  void block(int node);
  /// The octant of an own refined node that a child fills.
  void octant_from(int child);
  /// All that ghosts::gather reads for a node, but the node itself.
  void ghosts_of(int node);
  /// The layers of cells next to one face of a node.
  void face(int node, int face, int layers);

  std::vector<request> requests() const;
  /// Adds the nodes of which cells are asked for.
  void add_nodes(std::vector<int>& nodes) const;

 private:
  using cell_set = std::bitset<mesh::cells>;
  cell_set& of(int node) { return sets_[{partition_->owner(node), node}]; }

  const mesh::tree* tree_;
  const mesh::local_partition* partition_;
  std::map<std::pair<int, int>, cell_set> sets_;  // (rank, node)
};

}  // namespace rednova::exchange
