// What a step of light adds to the ledger.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "radiation/light_view.hpp"
#include "step/radiation_cells.hpp"
#include "step/simulation.hpp"
#include "step/step_ledger.hpp"

namespace rednova::step {

class light_books {
 public:
  /// Of a simulation's own leaves. It outlives this object.
  explicit light_books(const simulation& s)
      : s_(s), left_(static_cast<std::size_t>(s.halo().partition().leaf_count())) {}

  /// What left an own leaf in the step that ends then, and what floors have added to its light. of: a
  /// radiation::solver, or what has its outflow() and floors().
  template <class Light>
  void book(const Light& of, int leaf, double ends, step_ledger& to) {
    std::array<double, radiation::outflow_numbers>& sum = left_[own(leaf)];
    sum.fill(0);
    const double angle = s_.grid_angle(ends);
    for (int face = 0; face < mesh::faces; ++face) {
      const auto out = of.outflow(leaf, face);
      if (!any(out)) continue;
      const totals t = totals_of(out, angle);
      to.add(leaf, face, 1, t);
      sum[0] += t.energy;
      for (int d = 0; d < 3; ++d) {
        sum[static_cast<std::size_t>(1 + d)] += t.momentum[d];
        sum[static_cast<std::size_t>(4 + d)] += t.angular_momentum[d];
      }
    }
    const auto floors = of.floors(leaf);
    if (any(floors)) to.add(leaf, step_ledger::floors, 1, totals_of(floors, angle));
  }
  /// What the grid's turn in the step did not turn. lost: of add_turned_rows.
  void book_turn(const double* lost, int leaf, double ends, step_ledger& to) const {
    totals t(s_.fields().species());
    for (int d = 0; d < 3; ++d) {
      t.momentum[d] = lost[d];
      t.angular_momentum[d] = lost[3 + d];
    }
    to.add(leaf, step_ledger::floors, 1, t.rotated(s_.grid_angle(ends)));
  }
  /// What left an own leaf in the last step: energy, momentum and angular momentum, in the inertial frame.
  const std::array<double, radiation::outflow_numbers>& left(int leaf) const { return left_[own(leaf)]; }

 private:
  using numbers = std::span<const double, radiation::outflow_numbers>;

  std::size_t own(int leaf) const { return static_cast<std::size_t>(leaf - s_.own_leaves()[0]); }
  static bool any(const numbers& all) {
    return std::ranges::any_of(all, [](double x) { return x != 0; });
  }
  totals totals_of(const numbers& all, double angle) const {
    totals t(s_.fields().species());
    t.energy = all[0];
    t.momentum = {all[1], all[2], all[3]};
    t.angular_momentum = {all[4], all[5], all[6]};
    t.rotate(std::cos(angle), std::sin(angle));
    return t;
  }

  const simulation& s_;
  std::vector<std::array<double, radiation::outflow_numbers>> left_;  // [own leaf]
};

}  // namespace rednova::step
