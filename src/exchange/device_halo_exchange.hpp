// Restriction, and halo copies of other ranks' blocks, on a device: in an execution space's memory.
#pragma once

#include <vector>

#include "core/check.hpp"
#include "exchange/device_block_exchange.hpp"
#include "exchange/halo_exchange.hpp"
#include "exchange/restrict_cells.hpp"
#include "exec/space.hpp"

namespace rednova::exchange {

/// As halo_exchange, for fields in the memory of a Space (exec/space.hpp), a launch for each level. Launches are not
/// waited for but where messages are packed, messages are.
template <class Space>
class device_halo_exchange {
 public:
  /// of: this rank's halo exchange; there: the tree in the execution space's memory.
  device_halo_exchange(const Space& space, const halo_exchange& of, const mesh::tree& tree,
                       const mesh::tree_view& there, const mesh::field_numbers& fields)
      : space_(space), tree_(there), fields_(fields) {
    for (int level = tree.max_level() - 1; level >= 0; --level) levels_.push_back(level_of(space, of, tree, level));
    if (of.partition().alone()) return;
    const auto block = [&](int width) {
      return [&of, width](int node) { return static_cast<std::ptrdiff_t>(of.nodes()[node]) * width * mesh::cells; };
    };
    for (auto level = levels_.begin(); level != levels_.end(); ++level) {
      const auto l = static_cast<std::size_t>(tree.max_level() - 1 - (level - levels_.begin()));
      level->all = {space, of.octants()[l], block(fields.size())};
      level->scalar = {space, of.scalar_octants()[l], block(fields.size())};
      level->flags = {space, of.scalar_octants()[l], block(1)};
    }
    ghosts_ = {space, of.ghosts(), block(fields.size())};
    parents_ = {space, of.around_parents(), block(fields.size())};
    scalar_ghosts_ = {space, of.scalar_ghosts(), block(fields.size())};
    flags_ghosts_ = {space, of.scalar_ghosts(), block(1)};
  }

  /// Fills refined nodes from their children, finest level first: means, and for the spin what the momenta carry too.
  void restrict_all(const mesh::block_view<double>& u) {
    EXPECT(u.fields == fields_.size());
    for (level_list& l : levels_) {
      launch(l, restrict_gas_cell{tree_, fields_, u});
      l.all.exchange(u.values);
    }
  }
  /// The same for one field as a scalar. u: of all fields or of one alone.
  void restrict_scalar(const mesh::block_view<double>& u, int field) {
    EXPECT(field >= 0 && field < u.fields && (u.fields == 1 || u.fields == fields_.size()));
    for (level_list& l : levels_) {
      launch(l, restrict_scalar_cell{tree_, u, field});
      (u.fields == 1 ? l.flags : l.scalar).exchange(u.values + field * mesh::cells);
    }
  }
  /// Brings the halo copies that ghost layers of own leaves are made of. u: restricted.
  void fetch_ghosts(const mesh::block_view<double>& u) { ghosts_.exchange(u.values); }
  /// The two parts: leaves without halo copies may be worked on between them.
  void send_ghosts(const mesh::block_view<double>& u) { ghosts_.send(u.values); }
  void receive_ghosts(const mesh::block_view<double>& u) { ghosts_.receive(u.values); }
  /// Brings the parents of own leaves, and what is around them where `of` has reach::parents.
  void fetch_parents(const mesh::block_view<double>& u) { parents_.exchange(u.values); }
  /// As fetch_ghosts for one field, as restrict_scalar.
  void fetch_scalar(const mesh::block_view<double>& u, int field) {
    (u.fields == 1 ? flags_ghosts_ : scalar_ghosts_).exchange(u.values + field * mesh::cells);
  }

 private:
  template <class T>
  using array = typename Space::template array<T>;

  struct level_list {
    array<int> nodes;
    array<unsigned char> octants;
    int count;
    device_block_exchange<Space> all, scalar, flags;
  };

  static level_list level_of(const Space& space, const halo_exchange& of, const mesh::tree& tree, int level) {
    const std::vector<int>& nodes = of.parents()[static_cast<std::size_t>(level)];
    std::vector<unsigned char> octants;
    for (const int node : nodes) {
      unsigned own = 0;
      for (std::size_t o = 0; o < 8; ++o) own |= of.partition().owns(tree[node].child[o]) ? 1U << o : 0U;
      octants.push_back(static_cast<unsigned char>(own));
    }
    return {space.copy_of(nodes), space.copy_of(octants), static_cast<int>(nodes.size()), {}, {}, {}};
  }
  template <class Functor>
  void launch(const level_list& l, const Functor& restrict_cell) const {
    exec::for_each_of(space_, l.count, restrict_cell.size() * mesh::cells, [&](int first) {
      return fill_parents<Functor>{restrict_cell, {l.nodes.data() + first, l.octants.data() + first}};
    });
  }

  Space space_;
  mesh::tree_view tree_;
  mesh::field_numbers fields_;
  std::vector<level_list> levels_;  // finest first
  device_block_exchange<Space> ghosts_, parents_, scalar_ghosts_, flags_ghosts_;
};

}  // namespace rednova::exchange
