// What a step adds to the ledger, leaf by leaf, until it is summed up over all ranks.
#pragma once

#include <algorithm>
#include <vector>

#include "core/compensated.hpp"
#include "mesh/block.hpp"
#include "mesh/local_partition.hpp"
#include "step/ledger.hpp"

namespace rednova::step {

/// Columns of totals for each own leaf: the outflow through each side of the domain, and what floors add, in the
/// inertial frame; after them the unbound masses that left.
class step_ledger {
 public:
  static constexpr int floors = mesh::faces;
  static constexpr int columns = mesh::faces + 1;

  step_ledger(const mesh::local_partition& own, int species)
      : first_(own.leaves()[0]),
        width_(static_cast<std::size_t>(species + vector_and_energy)),
        rows_(static_cast<std::size_t>(own.leaf_count() * numbers())),
        booked_(static_cast<std::size_t>(own.leaf_count())) {}

  /// Numbers of a leaf.
  int numbers() const { return columns * static_cast<int>(width_) + hydro::unbound_criteria; }
  /// Index of the unbound masses in a leaf's row.
  int unbound() const { return columns * static_cast<int>(width_); }
  const core::compensated* row(int leaf) const { return rows_.data() + place(leaf, 0); }
  /// Whether anything was added to a leaf: most lie inside of the domain, above the floors.
  bool any(int leaf) const { return booked_[static_cast<std::size_t>(leaf - first_)] != 0; }
  void clear() {
    for (std::size_t i = 0; i < booked_.size(); ++i) {
      if (booked_[i] != 0)
        std::fill_n(rows_.begin() + static_cast<std::ptrdiff_t>(i) * numbers(), numbers(), core::compensated());
      booked_[i] = 0;
    }
  }

  /// Adds factor * what to a column of a leaf; from any thread, one for each leaf at a time.
  void add(int leaf, int column, double factor, const totals& what) {
    core::compensated* to = to_column(leaf, column);
    for (const double m : what.species) *to++ += factor * m;
    for (int d = 0; d < 3; ++d) *to++ += factor * what.momentum[d];
    for (int d = 0; d < 3; ++d) *to++ += factor * what.angular_momentum[d];
    *to++ += factor * what.energy;
    for (int d = 0; d < 3; ++d) *to++ += factor * what.spin[d];
  }
  void add_energy(int leaf, int column, double energy) {
    to_column(leaf, column)[width_ - vector_and_energy + 6] += energy;
  }
  void add_unbound(int leaf, double factor, const hydro::unbound_masses& left) {
    core::compensated* to = to_column(leaf, columns);
    for (const double m : left) *to++ += factor * m;
  }

 private:
  core::compensated* to_column(int leaf, int column) {
    booked_[static_cast<std::size_t>(leaf - first_)] = 1;
    return rows_.data() + place(leaf, column);
  }
  std::size_t place(int leaf, int column) const {
    return static_cast<std::size_t>((leaf - first_) * numbers()) + static_cast<std::size_t>(column) * width_;
  }

  int first_;
  std::size_t width_;
  std::vector<core::compensated> rows_;
  std::vector<char> booked_;  // [own leaf]: whether its row holds anything
};

}  // namespace rednova::step
