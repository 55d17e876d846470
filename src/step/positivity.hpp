// Where a stage makes invalid cells it is repeated around them with first-order fluxes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "step/simulation.hpp"

namespace rednova::step {

/// Whether any rank has flagged an own leaf.
bool any_flagged(const simulation& s, const std::vector<std::uint8_t>& own_leaves);

/// Repeats a stage until it leaves no invalid cells. flagged: own leaves that have some. find() adds invalid cells to
/// the troubled ones and flags the leaves where some are new; again(leaves of the tree) updates all that they touch
/// anew.
void repeat_while_invalid(const simulation& s, std::vector<std::uint8_t> flagged,
                          const std::function<std::vector<std::uint8_t>()>& find,
                          const std::function<void(const std::vector<std::uint8_t>& leaves)>& again);

}  // namespace rednova::step
