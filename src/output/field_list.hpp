// What a snapshot holds: one row for each field.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "step/simulation.hpp"

namespace rednova::output {

struct snapshot_field {
  std::string name;   ///< of the dataset; the ones that yt knows have the names of its Parthenon front end
  std::string units;  ///< in code units
  /// The values of a leaf's N³ cells, to be written to out[cell].
  std::function<void(const step::simulation& s, int leaf, double* out)> values;
};

/// All fields of a snapshot of this simulation, in the order in which they are written.
std::vector<snapshot_field> snapshot_fields(const step::simulation& s);

}  // namespace rednova::output
