// Restriction and halo copies of fields that are scalars each, on a device: in an execution space's memory.
#pragma once

#include <vector>

#include "core/check.hpp"
#include "exchange/device_block_exchange.hpp"
#include "exchange/halo_exchange.hpp"
#include "exchange/restrict_cells.hpp"
#include "exec/space.hpp"

namespace rednova::exchange {

/// The refined nodes of a level that have own children, and which octants of them these fill.
template <class Space>
struct device_parents {
  /// of: this rank's halo exchange.
  device_parents(const Space& space, const halo_exchange& of, const mesh::tree& tree, int level) {
    const std::vector<int>& list = of.parents()[static_cast<std::size_t>(level)];
    std::vector<unsigned char> bits;
    for (const int node : list) {
      unsigned own = 0;
      for (std::size_t o = 0; o < 8; ++o) own |= of.partition().owns(tree[node].child[o]) ? 1U << o : 0U;
      bits.push_back(static_cast<unsigned char>(own));
    }
    nodes = space.copy_of(list);
    octants = space.copy_of(bits);
    count = static_cast<int>(list.size());
  }
  template <class Functor>
  void launch(const Space& space, const Functor& restrict_cell) const {
    exec::for_each_of(space, count, restrict_cell.size() * mesh::cells, [&](int first) {
      return fill_parents<Functor>{restrict_cell, {nodes.data() + first, octants.data() + first}};
    });
  }

  typename Space::template array<int> nodes;
  typename Space::template array<unsigned char> octants;
  int count = 0;
};

/// Where a node's block begins among those of so many fields.
inline auto block_places(const halo_exchange& of, int fields) {
  return [&of, fields](int node) { return static_cast<std::ptrdiff_t>(of.nodes()[node]) * fields * mesh::cells; };
}

/// As halo_exchange::restrict_scalar and fetch_scalar, of blocks with any number of fields. Launches are not waited for
/// but where messages are packed, messages are.
template <class Space>
class device_scalars {
 public:
  /// of: this rank's halo exchange; there: the tree in the execution space's memory; fields: of a block.
  device_scalars(const Space& space, const halo_exchange& of, const mesh::tree& tree, const mesh::tree_view& there,
                 int fields)
      : space_(space), tree_(there), fields_(fields) {
    for (int level = tree.max_level() - 1; level >= 0; --level)
      levels_.push_back({device_parents<Space>(space, of, tree, level), {}});
    if (of.partition().alone()) return;
    int level = tree.max_level() - 1;
    for (level_list& l : levels_)
      l.octants = {space, of.scalar_octants()[static_cast<std::size_t>(level--)], block_places(of, fields)};
    ghosts_ = {space, of.scalar_ghosts(), block_places(of, fields)};
  }

  /// Fills refined nodes with the means of their children, finest level first, fields first … last - 1.
  void restrict_fields(const mesh::block_view<double>& u, int first, int last) {
    EXPECT(u.fields == fields_ && first >= 0 && last <= fields_);
    for (level_list& l : levels_) {
      l.parents.launch(space_, restrict_scalar_cell{tree_, u, first, last - first});
      for (int f = first; f < last; ++f) l.octants.exchange(u.values + f * mesh::cells);
    }
  }
  /// Brings the halo copies that ghost layers of own leaves are made of. u: restricted.
  void fetch(const mesh::block_view<double>& u, int first, int last) {
    for (int f = first; f < last; ++f) ghosts_.exchange(u.values + f * mesh::cells);
  }

 private:
  struct level_list {
    device_parents<Space> parents;
    device_block_exchange<Space> octants;
  };

  Space space_;
  mesh::tree_view tree_;
  int fields_;
  std::vector<level_list> levels_;  // finest first
  device_block_exchange<Space> ghosts_;
};

}  // namespace rednova::exchange
