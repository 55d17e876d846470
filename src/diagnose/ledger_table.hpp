// The conservation ledger as people read it: a table, and one number for each conserved quantity.
#pragma once

#include <string>
#include <vector>

#include "step/ledger.hpp"

namespace rednova::diagnose {

/// What the books cannot explain, relative to the sum of absolute values on the grid; of vectors and species
/// the largest component.
struct drift {
  double mass = 0, momentum = 0, angular_momentum = 0, energy = 0;
};
drift relative_drift(const step::ledger& books);

/// Lines "quantity grid outflow floors regrid remainder relative" for each species, the mass, momentum,
/// angular momentum and energy, in code units.
std::string ledger_table(const step::ledger& books, const std::vector<std::string>& species);

}  // namespace rednova::diagnose
