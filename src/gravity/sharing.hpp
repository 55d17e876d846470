// What gravity exchanges between ranks, and where it stores the blocks that it works with.
#pragma once

#include <vector>

#include "exchange/images.hpp"
#include "gravity/block_tables.hpp"
#include "gravity/plan.hpp"
#include "mesh/share.hpp"

namespace rednova::gravity {

/// Masses are stored for own leaves and images of those that touch own blocks, moments for own refined nodes, for the
/// parents of own nodes and for refined nodes that touch own ones. One rank alone stores all and exchanges nothing.
///
/// Moments of a node are gathered where its children are, octant by octant; its expansions are handed down there.
struct sharing {
  /// numbers: of a multipole. The share must outlive this object.
  sharing(exec::context* where, const mesh::tree& t, const plan& who, const mesh::share& s, int numbers);

  const mesh::share* own;
  block_places places;

  std::vector<std::vector<int>> parents;  ///< [level]: nodes that have own children
  exchange::images masses, moments;
  std::vector<exchange::images> up, down;  ///< [level of the parent]

 private:
  void find_images(const plan& who);
  void open(exec::context& where, const mesh::tree& t, int numbers);

  std::vector<char> wanted_;  // [node]
};

}  // namespace rednova::gravity
