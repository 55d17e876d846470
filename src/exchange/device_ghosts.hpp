// Blocks with their ghost layers on a device: many of them at once, in an execution space's memory.
#pragma once

#include <limits>

#include "core/check.hpp"
#include "exchange/ghost_kernels.hpp"
#include "exchange/ghosts.hpp"

namespace rednova::exchange {

/// exchange::ghosts for lists of blocks, whose halo copies of other ranks' blocks have come.
///
/// Space: one of exec/space.hpp. Lists, fields and results are in its memory. Nothing waits: who reads a result does so
/// through the space.
template <class Space>
class device_ghosts {
 public:
  /// Blocks that one call takes at most.
  static constexpr int most_blocks = std::numeric_limits<int>::max() / mesh::ghosted_cells;

  /// there: the tree in the execution space's memory, which must outlive this object.
  device_ghosts(const Space& space, const mesh::tree_view& there, const mesh::field_numbers& fields,
                const std::array<config::boundary, 6>& boundaries)
      : space_(space), tree_(there), fields_(fields), boundaries_(boundaries) {}

  /// As ghosts::gather for nodes[0 … count-1]: out [i][field][ghosted cell], of which the same cells are written.
  /// u: restricted; count: most_blocks at most; rotation: of the grid about z.
  void gather(const mesh::block_view<const double>& u, const int* nodes, int count, double rotation,
              double* out) const {
    EXPECT(u.fields == fields_.size());
    const gathered_blocks to = blocks(nodes, count, out, fields_.size());
    space_.for_each(count * mesh::ghosted_cells, copy_ghosts{to, u, 0});
    space_.for_each(count * coarse_ghost_cells, prolong_gas_ghosts{to, u, fields_});
    space_.for_each(count * ghost_cells, boundary_gas_ghosts{to, {fields_, boundaries_, rotation}});
  }

  /// As ghosts::gather_scalar: out [i][ghosted cell].
  void gather_scalar(const mesh::block_view<const double>& u, int field, const int* nodes, int count,
                     double* out) const {
    gather_scalars(u, field, field + 1, nodes, count, out);
  }
  /// The same of fields first … last - 1: out [i][field - first][ghosted cell]. extinction: as of
  /// ghosts::gather_across_faces.
  void gather_scalars(const mesh::block_view<const double>& u, int first, int last, const int* nodes, int count,
                      double* out, int extinction = ghosts::none) const {
    EXPECT(first >= 0 && last <= u.fields && extinction < u.fields);
    const gathered_blocks to = blocks(nodes, count, out, last - first);
    space_.for_each(count * mesh::ghosted_cells, copy_ghosts{to, u, first});
    space_.for_each(count * coarse_ghost_cells, prolong_scalar_ghosts{to, u, first, extinction});
    space_.for_each(count * ghost_cells, boundary_scalar_ghosts{to});
  }

 private:
  gathered_blocks blocks(const int* nodes, int count, double* out, int fields) const {
    EXPECT(count >= 0 && count <= most_blocks);
    return {tree_, nodes, out, fields};
  }

  Space space_;
  mesh::tree_view tree_;
  mesh::field_numbers fields_;
  std::array<config::boundary, 6> boundaries_;
};

}  // namespace rednova::exchange
