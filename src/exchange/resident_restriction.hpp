// Restriction where the numbers stay: in a place's memory.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "exchange/restrict_kernels.hpp"

namespace rednova::exchange {

/// exchange::restrict_all on a tree of one rank alone, a launch for each level.
///
/// Place: one of exec/place.hpp. The numbers are in its memory, of all nodes. Nothing waits.
template <class Place>
class resident_restriction {
 public:
  /// there: `tree` in the place's memory, which must outlive this object.
  resident_restriction(const Place& where, const mesh::tree_view& there, const mesh::tree& tree,
                       const mesh::field_numbers& fields)
      : where_(where), tree_(there), fields_(fields) {
    for (int level = tree.max_level() - 1; level >= 0; --level) levels_.push_back(tree.refined(level));
  }

  /// Fills all refined nodes from their children, finest level first: means, and for the spin what the momenta carry
  /// too.
  void restrict_all(const mesh::block_view<double>& u) const {
    EXPECT(u.fields == fields_.size());
    for_levels(fields_.size(), [&](int first) { return restrict_gas{tree_, fields_, u, first}; });
  }
  /// The same for one field as a scalar.
  void restrict_scalar(const mesh::block_view<double>& u, int field) const {
    EXPECT(field >= 0 && field < u.fields);
    for_levels(1, [&](int first) { return restrict_one_field{tree_, u, field, first}; });
  }

 private:
  /// kernel_from(first node): works on the nodes from there on, so many `fields` of each.
  template <class KernelFrom>
  void for_levels(int fields, const KernelFrom& kernel_from) const {
    const int most = std::numeric_limits<int>::max() / mesh::cells / fields;  // nodes of a launch
    for (const auto& [first, last] : levels_) {
      for (int from = first; from < last; from += most) {
        where_.for_each(std::min(most, last - from) * fields * mesh::cells, kernel_from(from));
      }
    }
  }

  Place where_;
  mesh::tree_view tree_;
  mesh::field_numbers fields_;
  std::vector<std::array<int, 2>> levels_;  ///< refined nodes, finest first
};

}  // namespace rednova::exchange
