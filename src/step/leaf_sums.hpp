// Sums over all leaves of a simulation.
#pragma once

#include <vector>

#include "core/compensated.hpp"
#include "core/vec3.hpp"
#include "exchange/gather.hpp"
#include "step/simulation.hpp"

namespace rednova::step {

/// row_of(leaf, row) gives an own leaf's numbers, in place of zeros. Same bits on any number of threads and ranks.
template <class RowOf>
std::vector<core::compensated> add_leaves(const simulation& s, const char* phase, int numbers, const RowOf& row_of) {
  return exchange::fold_leaves<core::compensated>(s.context(), phase, s.tree(), s.halo().partition(), numbers, row_of,
                                                  [numbers](core::compensated* sum, const core::compensated* part) {
                                                    for (int i = 0; i < numbers; ++i) sum[i] += part[i];
                                                  });
}

inline core::vec3d to_vector(const core::compensated* numbers) {
  return {numbers[0].value(), numbers[1].value(), numbers[2].value()};
}

}  // namespace rednova::step
