// What the conservation of angular momentum means in a given box.
#pragma once

#include <array>
#include <string>

#include "config/parameters.hpp"

namespace rednova::diagnose {

/// Which components of the angular momentum have a conservation law, and what the scheme makes of them. Every other sum
/// of the ledger has its law in every box: a wall's force is booked as what left through it.
struct angular_momentum_law {
  std::array<bool, 3> holds{true, true, true};  ///< by component
  std::string why_not;                          ///< why it does not hold for some; empty if it holds for all
  std::string loss;                             ///< why the scheme does not keep it though it holds; empty if it does

  bool holds_for_all() const { return holds[0] && holds[1] && holds[2]; }
};

/// The law for these boundaries and this scheme.
///
/// Gas that leaves a periodic box in direction d comes in on the other side, its position changed by the box's extent
/// L e_d. That changes its angular momentum by L e_d × s: the components across d have no law, the one along d has.
angular_momentum_law law_of_angular_momentum(const config::parameters& p);

}  // namespace rednova::diagnose
