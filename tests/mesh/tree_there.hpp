// A tree and fields in a place's memory (exec/place.hpp), for tests.
#pragma once

#include <vector>

#include "mesh/block_data.hpp"
#include "mesh/view.hpp"

namespace rednova::mesh::test {

template <class Place>
struct tree_there {
  tree_there(const Place& where, const tree& t) : nodes(where.copy_of(t.nodes())), view(mesh::view(t)) {
    view.nodes = nodes.data();
  }
  typename Place::template array<node> nodes;
  tree_view view;
};

/// The numbers of blocks in a row.
inline std::vector<double> numbers(const block_data& u) { return {u.data(), u.data() + u.bytes() / sizeof(double)}; }

/// Blocks of all nodes in the order of the nodes.
template <class Place>
struct blocks_there {
  blocks_there(const Place& where, const block_data& u)
      : values(where.copy_of(numbers(u))), view{values.data(), nullptr, 0, u.fields()} {}
  typename Place::template array<double> values;
  block_view<double> view;
};

}  // namespace rednova::mesh::test
