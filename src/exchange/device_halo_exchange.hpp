// Restriction, and halo copies of other ranks' blocks, on a device: in an execution space's memory.
#pragma once

#include <vector>

#include "core/check.hpp"
#include "exchange/device_block_exchange.hpp"
#include "exchange/device_scalars.hpp"
#include "exchange/halo_exchange.hpp"
#include "exchange/restrict_cells.hpp"

namespace rednova::exchange {

/// As halo_exchange, for fields in the memory of a Space (exec/space.hpp), a launch for each level. Launches are not
/// waited for but where messages are packed, messages are.
template <class Space>
class device_halo_exchange {
 public:
  /// of: this rank's halo exchange; there: the tree in the execution space's memory.
  device_halo_exchange(const Space& space, const halo_exchange& of, const mesh::tree& tree,
                       const mesh::tree_view& there, const mesh::field_numbers& fields)
      : space_(space),
        tree_(there),
        fields_(fields),
        scalars_(space, of, tree, there, fields.size()),
        alone_(space, of, tree, there, 1) {
    for (int level = tree.max_level() - 1; level >= 0; --level)
      levels_.push_back({device_parents<Space>(space, of, tree, level), {}});
    if (of.partition().alone()) return;
    int level = tree.max_level() - 1;
    for (level_list& l : levels_)
      l.octants = {space, of.octants()[static_cast<std::size_t>(level--)], block_places(of, fields.size())};
    ghosts_ = {space, of.ghosts(), block_places(of, fields.size())};
    parents_ = {space, of.around_parents(), block_places(of, fields.size())};
  }

  /// Fills refined nodes from their children, finest level first: means, and for the spin what the momenta carry too.
  void restrict_all(const mesh::block_view<double>& u) {
    EXPECT(u.fields == fields_.size());
    for (level_list& l : levels_) {
      l.parents.launch(space_, restrict_gas_cell{tree_, fields_, u});
      l.octants.exchange(u.values);
    }
  }
  /// The same for one field as a scalar. u: of all fields or of one alone.
  void restrict_scalar(const mesh::block_view<double>& u, int field) {
    scalars_of(u).restrict_fields(u, field, field + 1);
  }
  /// Brings the halo copies that ghost layers of own leaves are made of. u: restricted.
  void fetch_ghosts(const mesh::block_view<double>& u) { ghosts_.exchange(u.values); }
  /// The two parts: leaves without halo copies may be worked on between them.
  void send_ghosts(const mesh::block_view<double>& u) { ghosts_.send(u.values); }
  void receive_ghosts(const mesh::block_view<double>& u) { ghosts_.receive(u.values); }
  /// Brings the parents of own leaves, and what is around them where `of` has reach::parents.
  void fetch_parents(const mesh::block_view<double>& u) { parents_.exchange(u.values); }
  /// As fetch_ghosts for one field, as restrict_scalar.
  void fetch_scalar(const mesh::block_view<double>& u, int field) { scalars_of(u).fetch(u, field, field + 1); }

 private:
  struct level_list {
    device_parents<Space> parents;
    device_block_exchange<Space> octants;
  };

  device_scalars<Space>& scalars_of(const mesh::block_view<double>& u) { return u.fields == 1 ? alone_ : scalars_; }

  Space space_;
  mesh::tree_view tree_;
  mesh::field_numbers fields_;
  std::vector<level_list> levels_;  // finest first
  device_scalars<Space> scalars_, alone_;
  device_block_exchange<Space> ghosts_, parents_;
};

}  // namespace rednova::exchange
