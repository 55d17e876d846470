// The largest of all cells.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "exchange/gather.hpp"
#include "exec/for_each.hpp"
#include "step/simulation.hpp"

namespace rednova::command {

/// The largest value of a function of leaf and cell over all ranks' leaves.
template <class F>
double largest(const step::simulation& s, const F& of_cell) {
  const auto larger = [](double a, double b) { return std::max(a, b); };
  const std::array<int, 2> own = s.own_leaves();
  const double mine = exec::reduce(
      s.context(), "initial model", own[1] - own[0], -std::numeric_limits<double>::infinity(),
      [&](int i) {
        double most = -std::numeric_limits<double>::infinity();
        for (int c = 0; c < mesh::cells; ++c) most = std::max(most, of_cell(own[0] + i, c));
        return most;
      },
      larger);
  return exchange::fold_ranks(s.context(), mine, larger);
}

}  // namespace rednova::command
