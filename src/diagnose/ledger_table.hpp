// The conservation ledger as people read it: a table, and one number for each conserved quantity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/angular_momentum_law.hpp"
#include "step/ledger.hpp"

namespace rednova::diagnose {

/// What the ledger cannot explain, relative to the sum of absolute values on the grid; of vectors and species
/// the largest component.
struct drift {
  double mass = 0, momentum = 0;
  std::optional<double> angular_momentum;  ///< of the components that have a law; none if no one has
  double energy = 0;
  std::optional<double> flow;  ///< |flow_drift::share|, of the components of the angular momentum that have a law
};
drift relative_drift(const step::ledger& ledger, const angular_momentum_law& law);

/// Lines "quantity grid outflow floors regrid remainder relative" for each species, the mass, momentum,
/// angular momentum, the flow's part of it (`relative` is its drift's share: flow_drift) and energy, in code units.
/// Components of the angular momentum that have no law are flagged and show no remainder; lines below say why, and what
/// the scheme loses.
std::string ledger_table(const step::ledger& ledger, const std::vector<std::string>& species,
                         const angular_momentum_law& law);

}  // namespace rednova::diagnose
