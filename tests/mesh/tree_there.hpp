// A tree and fields in an execution space's memory (exec/space.hpp), for tests.
#pragma once

#include <vector>

#include "mesh/block_data.hpp"
#include "mesh/view.hpp"

namespace rednova::mesh::test {

template <class Space>
struct tree_there {
  tree_there(const Space& space, const tree& t) : nodes(space.copy_of(t.nodes())), view(mesh::view(t)) {
    view.nodes = nodes.data();
  }
  typename Space::template array<node> nodes;
  tree_view view;
};

/// The numbers of blocks in a row.
inline std::vector<double> numbers(const block_data& u) { return {u.data(), u.data() + u.bytes() / sizeof(double)}; }

/// Blocks of all nodes in the order of the nodes.
template <class Space>
struct blocks_there {
  blocks_there(const Space& space, const block_data& u)
      : values(space.copy_of(numbers(u))), view{values.data(), nullptr, 0, u.fields()} {}
  typename Space::template array<double> values;
  block_view<double> view;
};

}  // namespace rednova::mesh::test
