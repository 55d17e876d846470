// What a snapshot holds: one row for each field.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "step/simulation.hpp"

namespace rednova::output {

/// Of fields that are a mass per volume.
inline constexpr const char* density_units = "mass/length^3";

struct snapshot_field {
  std::string name;   ///< of the dataset; the ones that yt knows have the names of its Parthenon front end
  std::string units;  ///< in code units
  /// The values of a leaf's N³ cells, to be written to out[cell].
  std::function<void(const step::simulation& s, int leaf, double* out)> values;
};

/// The chosen ones of a simulation's fields, in the order in which they are written; all where none are named. Names
/// are those of datasets or short ones such as velocity_x; what has no such field is left out.
std::vector<snapshot_field> snapshot_fields(const step::simulation& s, const std::vector<std::string>& chosen);

/// Names of all fields that a snapshot of such a run has.
std::vector<std::string> field_names(const config::parameters& p);

/// The name of the dataset that is meant: "velocity_x" is prim_velocity_1.
std::string dataset_of(const std::string& name);

/// The short names that dataset_of knows.
std::vector<std::string> short_names();

}  // namespace rednova::output
