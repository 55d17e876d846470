// Where a stage makes invalid cells it is repeated around them with first-order fluxes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "step/simulation.hpp"

namespace rednova::step {

/// Whether any rank has marked an own leaf.
bool any_marked(const simulation& s, const std::vector<std::uint8_t>& own_leaves);

/// Repeats a stage until it leaves no invalid cells. marked: own leaves that have some. find() marks their cells, for
/// leaves that have invalid ones without a mark; again(leaves of the tree) updates all that marked cells touch anew.
void repeat_while_invalid(const simulation& s, std::vector<std::uint8_t> marked,
                          const std::function<std::vector<std::uint8_t>()>& find,
                          const std::function<void(const std::vector<std::uint8_t>& leaves)>& again);

}  // namespace rednova::step
