// Refinement flags on a device: the gas is looked at in an execution space's memory, and what
// is found there comes to the host.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "exchange/device_ghosts.hpp"
#include "regrid/criteria.hpp"
#include "regrid/gas_kernels.hpp"

namespace rednova::regrid {

/// criteria::flags for a rank's own leaves: the same flags, but where a pressure that is known by the entropy
/// tracer jumps by the threshold to the last bits (a device has a power function of its own). Rules, tree and
/// partition must outlive this object.
///
/// Space: one of exec/space.hpp, in whose memory the numbers are.
template <class Space>
class device_criteria {
 public:
  /// ghosts: of the same tree, with the boundaries of the gas. there: by.by_opacity() with tables in the space's
  /// memory, where it is not null.
  device_criteria(const Space& space, const criteria& by, const mesh::tree& tree, const mesh::local_partition& own,
                  const mesh::field_numbers& fields, const eos::gas& eos, const exchange::device_ghosts<Space>& ghosts,
                  const std::optional<photosphere>& there = std::nullopt)
      : space_(space),
        by_(&by),
        tree_(&tree),
        own_(&own),
        rules_(by.looked_for(fields, eos)),
        ghosts_(ghosts),
        by_opacity_(there) {
    EXPECT(rules_.photosphere == there.has_value());
  }

  /// +1, 0 or -1 for each leaf. u: [nodes][fields], restricted, with halo copies of what is around leaves and their
  /// parents; gravity: gravity::result_field of own leaves, as in criteria::flags.
  std::vector<int> flags(const mesh::block_view<const double>& u,
                         const mesh::block_view<const double>& gravity = {}) const {
    EXPECT(u.fields == rules_.fields.size());
    found all;
    if (rules_.cells()) all.cells = look_at_cells(u, gravity);
    if (rules_.slopes()) {
      std::vector<int> leaves, parents;
      for (int n = first(); n < last(); ++n) {
        leaves.push_back(n);
        if ((*tree_)[n].parent != mesh::no_block) parents.push_back((*tree_)[n].parent);
      }
      std::ranges::sort(parents);
      parents.erase(std::ranges::unique(parents).begin(), parents.end());
      all.of_nodes.resize(static_cast<std::size_t>(tree_->size()));
      look_for_slopes(u, leaves, purpose::refine, all.of_nodes);
      look_for_slopes(u, parents, purpose::keep, all.of_nodes);
    }
    std::vector<int> flag;
    for (int leaf = first(); leaf < last(); ++leaf) {
      all.leaf = static_cast<std::size_t>(leaf - first());
      flag.push_back(by_->flag(*tree_, leaf, all));
    }
    return flag;
  }

 private:
  template <class T>
  using array = typename Space::template array<T>;

  int first() const { return own_->leaves()[0]; }
  int last() const { return own_->leaves()[1]; }

  /// Blocks whose ghost layers are in memory at once.
  static constexpr int blocks_at_once = (1 << 18) / mesh::cells;

  /// As criteria::flag asks.
  struct found {
    double densest() const { return cells[leaf].densest; }
    bool core(int number, purpose why) const { return cells[leaf].in_core[number][static_cast<int>(why)]; }
    bool unbound(purpose why) const { return cells[leaf].unbound[static_cast<int>(why)]; }
    char slopes(int node, purpose) const { return of_nodes[static_cast<std::size_t>(node)]; }

    std::size_t leaf = 0;               ///< among own ones
    std::vector<found_in_cells> cells;  ///< [own leaf]
    std::vector<char> of_nodes;         ///< [node]: slopes that refine a leaf, or keep a parent's children
  };

  std::vector<found_in_cells> look_at_cells(const mesh::block_view<const double>& u,
                                            const mesh::block_view<const double>& gravity) const {
    constexpr int columns = look_at_columns::columns;
    const int leaves = own_->leaf_count();
    EXPECT(leaves <= std::numeric_limits<int>::max() / columns);
    std::vector<found_in_cells> all(static_cast<std::size_t>(leaves));
    array<found_in_cells> of_columns(all.size() * columns), of_leaves(all.size());
    space_.for_each(leaves * columns, look_at_columns{rules_, u, gravity, first(), of_columns.data()});
    space_.for_each(leaves, add_columns{of_columns.data(), of_leaves.data()});
    space_.download(of_leaves.data(), std::span<found_in_cells>(all));
    return all;
  }

  /// The slopes in each of the nodes, to of_nodes[node].
  void look_for_slopes(const mesh::block_view<const double>& u, const std::vector<int>& nodes, purpose why,
                       std::vector<char>& of_nodes) const {
    if (nodes.empty()) return;
    const array<int> list = space_.copy_of(nodes);
    const int all = static_cast<int>(nodes.size());
    const std::size_t most = static_cast<std::size_t>(std::min(blocks_at_once, all));
    const std::size_t fields = static_cast<std::size_t>(rules_.fields.size());
    const auto numbers = [&](double threshold) { return threshold > 0 ? most * mesh::ghosted_cells : 0; };
    array<double> gas(most * fields * mesh::ghosted_cells);
    array<double> q(numbers(rules_.gradient)), p(numbers(rules_.scale_height));
    array<double> depths(by_opacity_ ? most * mesh::ghosted_cells : 0);
    array<char> of_lines(most * gas_rules::lines), of_rows(by_opacity_ ? most * find_free_light::rows : 0),
        of_blocks(most);
    std::vector<char> here(nodes.size());
    for (int from = 0; from < all; from += blocks_at_once) {
      const int count = std::min(blocks_at_once, all - from);
      ghosts_.gather(u, list.data() + from, count, 0, gas.data());
      space_.for_each(count * mesh::ghosted_cells, watch_cells{rules_, gas.data(), q.data(), p.data()});
      space_.for_each(count * gas_rules::lines,
                      find_slopes{rules_, why, gas.data(), q.data(), p.data(), of_lines.data()});
      if (by_opacity_) {
        space_.for_each(count * mesh::ghosted_cells, find_depths{rules_, *by_opacity_, gas.data(), depths.data()});
        space_.for_each(count * find_free_light::rows,
                        find_free_light{*by_opacity_, why, depths.data(), of_rows.data()});
      }
      space_.for_each(count, add_lines{of_lines.data(), by_opacity_ ? of_rows.data() : nullptr, of_blocks.data()});
      space_.download(of_blocks.data(),
                      std::span<char>(here).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(count)));
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) of_nodes[static_cast<std::size_t>(nodes[i])] = here[i];
  }

  Space space_;
  const criteria* by_;
  const mesh::tree* tree_;
  const mesh::local_partition* own_;
  gas_rules rules_;
  exchange::device_ghosts<Space> ghosts_;
  std::optional<photosphere> by_opacity_;
};

}  // namespace rednova::regrid
