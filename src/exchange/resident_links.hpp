// Restriction, and images of other ranks' blocks, where the numbers stay: in a place's memory.
#pragma once

#include <vector>

#include "core/check.hpp"
#include "exchange/links.hpp"
#include "exchange/resident_images.hpp"
#include "exchange/restrict_kernels.hpp"
#include "exec/place.hpp"

namespace rednova::exchange {

/// As links, for fields in the memory of a Place (exec/place.hpp), a launch for each level. Launches are not waited
/// for but where letters are packed, messages are.
template <class Place>
class resident_links {
 public:
  /// of: the links of this rank's share of the tree; there: the tree in the place's memory.
  resident_links(const Place& where, const links& of, const mesh::tree& tree, const mesh::tree_view& there,
                 const mesh::field_numbers& fields)
      : where_(where), tree_(there), fields_(fields) {
    for (int level = tree.max_level() - 1; level >= 0; --level) levels_.push_back(level_of(where, of, tree, level));
    if (of.share().alone()) return;
    const auto block = [&](int width) {
      return [&of, width](int node) { return static_cast<std::ptrdiff_t>(of.nodes()[node]) * width * mesh::cells; };
    };
    for (auto level = levels_.begin(); level != levels_.end(); ++level) {
      const auto l = static_cast<std::size_t>(tree.max_level() - 1 - (level - levels_.begin()));
      level->all = {where, of.octants()[l], block(fields.size())};
      level->scalar = {where, of.scalar_octants()[l], block(fields.size())};
      level->marks = {where, of.scalar_octants()[l], block(1)};
    }
    ghosts_ = {where, of.ghosts(), block(fields.size())};
    parents_ = {where, of.around_parents(), block(fields.size())};
    scalar_ghosts_ = {where, of.scalar_ghosts(), block(fields.size())};
    marks_ghosts_ = {where, of.scalar_ghosts(), block(1)};
  }

  /// Fills refined nodes from their children, finest level first: means, and for the spin what the momenta carry too.
  void restrict_all(const mesh::block_view<double>& u) {
    EXPECT(u.fields == fields_.size());
    for (level_list& l : levels_) {
      launch(l, fields_.size(), [&](const parent_list& p) { return restrict_gas{tree_, fields_, u, p}; });
      l.all.exchange(u.values);
    }
  }
  /// The same for one field as a scalar. u: of all fields or of one alone.
  void restrict_scalar(const mesh::block_view<double>& u, int field) {
    EXPECT(field >= 0 && field < u.fields && (u.fields == 1 || u.fields == fields_.size()));
    for (level_list& l : levels_) {
      launch(l, 1, [&](const parent_list& p) { return restrict_one_field{tree_, u, field, p}; });
      (u.fields == 1 ? l.marks : l.scalar).exchange(u.values + field * mesh::cells);
    }
  }
  /// Brings the images that ghost layers of own leaves are made of. u: restricted.
  void fetch_ghosts(const mesh::block_view<double>& u) { ghosts_.exchange(u.values); }
  /// The two parts: leaves without images may be worked on between them.
  void send_ghosts(const mesh::block_view<double>& u) { ghosts_.send(u.values); }
  void receive_ghosts(const mesh::block_view<double>& u) { ghosts_.receive(u.values); }
  /// Brings the parents of own leaves, and what is around them where the links reach so far.
  void fetch_parents(const mesh::block_view<double>& u) { parents_.exchange(u.values); }
  /// As fetch_ghosts for one field, as restrict_scalar.
  void fetch_scalar(const mesh::block_view<double>& u, int field) {
    (u.fields == 1 ? marks_ghosts_ : scalar_ghosts_).exchange(u.values + field * mesh::cells);
  }

 private:
  template <class T>
  using array = typename Place::template array<T>;

  struct level_list {
    array<int> nodes;
    array<unsigned char> octants;
    int count;
    resident_images<Place> all, scalar, marks;
  };

  static level_list level_of(const Place& where, const links& of, const mesh::tree& tree, int level) {
    const std::vector<int>& nodes = of.parents()[static_cast<std::size_t>(level)];
    std::vector<unsigned char> octants;
    for (const int node : nodes) {
      unsigned own = 0;
      for (std::size_t o = 0; o < 8; ++o) own |= of.share().owns(tree[node].child[o]) ? 1U << o : 0U;
      octants.push_back(static_cast<unsigned char>(own));
    }
    return {where.copy_of(nodes), where.copy_of(octants), static_cast<int>(nodes.size()), {}, {}, {}};
  }
  /// kernel_of(parents): fills so many `fields` of each.
  template <class KernelOf>
  void launch(const level_list& l, int fields, const KernelOf& kernel_of) const {
    exec::for_each_of(where_, l.count, fields * mesh::cells, [&](int first) {
      return kernel_of(parent_list{l.nodes.data() + first, l.octants.data() + first});
    });
  }

  Place where_;
  mesh::tree_view tree_;
  mesh::field_numbers fields_;
  std::vector<level_list> levels_;  // finest first
  resident_images<Place> ghosts_, parents_, scalar_ghosts_, marks_ghosts_;
};

}  // namespace rednova::exchange
