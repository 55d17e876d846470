// What a rank must ask others for, collected cell by cell.
#pragma once

#include <bitset>
#include <map>
#include <utility>
#include <vector>

#include "exchange/images.hpp"
#include "mesh/share.hpp"
#include "mesh/tree.hpp"

namespace rednova::exchange {

/// Cells of nodes that other ranks have; each cell once, however many ask for it.
class wishes {
 public:
  wishes(const mesh::tree& t, const mesh::share& s) : tree_(&t), share_(&s) {}

  /// A cell of a node, or all; nothing if the node is the rank's own.
  void cell(int node, int c);
  void block(int node);
  /// The octant of an own refined node that a child fills.
  void octant_from(int child);
  /// All that ghosts::gather reads for a node, but the node itself.
  void ghosts_of(int node);
  /// The layers of cells next to one face of a node.
  void face(int node, int face, int layers);

  std::vector<want> wants() const;
  /// Adds the nodes of which something is wanted from their owners.
  void add_nodes(std::vector<int>& nodes) const;

 private:
  using cell_set = std::bitset<mesh::cells>;
  cell_set& of(int node) { return sets_[{share_->owner(node), node}]; }

  const mesh::tree* tree_;
  const mesh::share* share_;
  std::map<std::pair<int, int>, cell_set> sets_;  // (rank, node)
};

}  // namespace rednova::exchange
